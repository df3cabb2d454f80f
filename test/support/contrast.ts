import type { Page } from 'playwright-core';

/** The contrast ratio (WCAG, 1 to 21) of the text of each element. */
export function measureContrasts(page: Page, selector: string): Promise<number[]> {
  return page.evaluate((these) => {
    const computeLuminance = (colour: string) => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const c = Number(part) / 255;
        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const findBackground = (element: Element | null): string => {
      const { backgroundColor } = getComputedStyle(element ?? document.documentElement);
      const clear = backgroundColor === 'rgba(0, 0, 0, 0)';
      return clear && element?.parentElement ? findBackground(element.parentElement) : backgroundColor;
    };
    return [...document.querySelectorAll(these)].map((element) => {
      const [one, other] = [
        computeLuminance(getComputedStyle(element).color),
        computeLuminance(findBackground(element)),
      ];
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    });
  }, selector);
}
