/** Statuses of requests are any text (open point `request.statuses`): what sounds like a yes or a no is one. */
export function verdictOf(status: string): 'yes' | 'no' | 'open' {
  if (/^(approv|accept|allow|done)/i.test(status)) return 'yes';
  if (/^(reject|den[iy]|declin|refus|fail)/i.test(status)) return 'no';
  return 'open';
}
