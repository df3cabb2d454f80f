import type { Locator, Page } from 'playwright-core';
import type { AnimationFrame } from './encode-png.js';

const STEP_MS = 60;
const MOVE_STEPS = 5;

/** Takes the frames of an animation of a page, with a pointer and a line of text below the page. Needs `bypassCSP`. */
export class PageRecorder {
  readonly frames: AnimationFrame[] = [];
  readonly #page: Page;
  #pointer = { x: 0, y: 0 };

  constructor(page: Page) {
    this.#page = page;
  }

  /** Draws the pointer at its first place, and makes room for the text. */
  async prepare(x: number, y: number): Promise<void> {
    this.#pointer = { x, y };
    await this.#page.addStyleTag({ content: STYLE });
    await this.#page.evaluate((svg) => {
      document.body.insertAdjacentHTML('beforeend', `<div id="pointer">${svg}</div><div id="caption"></div>`);
    }, POINTER);
    await this.#draw();
  }

  async say(text: string): Promise<void> {
    await this.#page.evaluate((line) => {
      document.querySelector('#caption')!.textContent = line;
    }, text);
  }

  /** Shows the page as it is now for `delay` ms. */
  async hold(delay: number): Promise<void> {
    await this.#page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    this.frames.push({ png: await this.#page.screenshot(), delay });
  }

  /** Moves the pointer to the middle of the element and clicks. */
  async click(element: Locator): Promise<void> {
    const { x, y, width, height } = (await element.boundingBox())!;
    const from = this.#pointer;
    const to = { x: x + width / 2, y: y + height / 2 };
    for (let step = 1; step <= MOVE_STEPS; step++) {
      const part = (1 - Math.cos((Math.PI * step) / MOVE_STEPS)) / 2;
      this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await this.#draw();
      await this.hold(STEP_MS);
    }
    await element.click();
  }

  async #draw(): Promise<void> {
    await this.#page.evaluate(({ x, y }) => {
      document.querySelector<HTMLElement>('#pointer')!.style.transform = `translate(${x}px, ${y}px)`;
    }, this.#pointer);
  }
}

const POINTER =
  '<svg width="22" height="28" viewBox="0 0 22 28"><path d="M2 2v20l5-4.6 3.4 8 3.6-1.6-3.4-7.8H18z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>';
const STYLE = `
#studio { height: calc(100% - 44px); }
#pointer { position: fixed; top: 0; left: 0; z-index: 9; pointer-events: none; }
#caption { position: fixed; inset: auto 0 0; height: 44px; padding: 9px 18px; background: #1f2430; color: #fff; font: 600 17px/26px system-ui, sans-serif; }
*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }`;
