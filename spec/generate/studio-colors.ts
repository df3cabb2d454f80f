import { readText } from './write-files.js';

const PAIR = /--([\w-]+): light-dark\((#\w+), (#\w+)\);/g;

/** Colors of studio's style sheet by name, on a light and on a dark page. */
const PAIRS: ReadonlyMap<string, readonly [light: string, dark: string]> = new Map(
  [...readText('studio/style.css').matchAll(PAIR)].map(([, name, light, dark]) => [
    name!,
    [toSixDigits(light!), toSixDigits(dark!)],
  ]),
);

/** Replaces `$accent` by the color of that name on a light page. Throws an Error for an unknown name. */
export function replaceColorNames(text: string): string {
  return text.replace(/\$([a-z][a-z-]*)/g, (_, name: string) => {
    const pair = PAIRS.get(name);
    if (pair === undefined) throw new Error(`studio/style.css has no color "${name}"`);
    return pair[0];
  });
}

/** Gives a picture in these colors their counterparts on a dark page. */
export function addDarkColors(svg: string): string {
  const used = [...PAIRS].filter(([name, [light]]) => name !== 'raised' && svg.includes(`"${light}"`));
  const rules = used.flatMap(([, [light, dark]]) =>
    ['fill', 'stroke'].map((attribute) => `[${attribute}="${light}"]{${attribute}:${dark}}`),
  );
  const style = `<style>@media (prefers-color-scheme: dark){${rules.join('')}}</style>`;
  return svg.replace(/<svg[^>]*>/, (start) => `${start}\n${style}`);
}

function toSixDigits(color: string): string {
  return color.length === 4 ? color.replace(/[\da-f]/g, '$&$&') : color;
}
