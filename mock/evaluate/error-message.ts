/** Messages of the interpreter and what a browser says instead. */
const IN_A_BROWSER: readonly (readonly [RegExp, string])[] = [
  [/^ReferenceError: '?(.+?)'? is not defined$/, 'ReferenceError: $1 is not defined'],
  [
    /^TypeError: cannot read property '(.+)' of (null|undefined)$/,
    "TypeError: Cannot read properties of $2 (reading '$1')",
  ],
  [
    /^TypeError: cannot set property '(.+)' of (null|undefined)$/,
    "TypeError: Cannot set properties of $2 (setting '$1')",
  ],
  [/^TypeError: '.+' is read-only$/, 'TypeError: Assignment to constant variable.'],
  [/^InternalError: string too long$/, 'RangeError: Invalid string length'],
  [/^TypeError: circular reference$/, 'TypeError: Converting circular structure to JSON'],
  [/^SyntaxError: unexpected token in expression: '(.+)'$/, "SyntaxError: Unexpected token '$1'"],
  [
    /^SyntaxError: .*unexpected end of (?:string|comment|input)$|^SyntaxError: unexpected token in expression: ''$/i,
    'SyntaxError: Unexpected end of input',
  ],
  [
    /^(?:InternalError|RangeError): (?:stack overflow|Maximum call stack size exceeded)$/,
    'RangeError: Maximum call stack size exceeded',
  ],
];

/** An error as `Name: message`, in the words of a browser where these are known. */
export function browserMessage(text: string): string {
  for (const [pattern, replacement] of IN_A_BROWSER) {
    if (pattern.test(text)) return text.replace(pattern, replacement);
  }
  return text;
}
