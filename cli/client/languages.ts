/** Languages there is an adapter in. */
export const LANGUAGES = ['node', 'python', 'typescript'] as const;
export type Language = (typeof LANGUAGES)[number];
