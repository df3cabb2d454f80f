/** A fault in one click, in the shorthand of network rules. */
export interface Preset {
  label: string;
  rule: string;
}

export const PRESETS: readonly Preset[] = [
  { label: 'Fail the next poll with 503', rule: 'fail 503 of poll times 1' },
  { label: 'Drop the response to the next reply', rule: 'drop response of reply times 1' },
  { label: '429 for 5 s', rule: 'fail 429 of any retry_after 5s expires 5s' },
  { label: 'Same event twice', rule: 'redeliver of poll times 1' },
  { label: 'Delay each response by 1 s', rule: 'delay 1s' },
  { label: 'Next response is no JSON', rule: 'garble of any times 1' },
];
