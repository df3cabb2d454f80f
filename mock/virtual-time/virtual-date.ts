/**
 * A `Date` whose now is `now()` (ms). Its objects are those of the platform's own class, so that `instanceof` holds
 * either way.
 */
export function dateOf(now: () => number, RealDate: DateConstructor): DateConstructor {
  function VirtualDate(...args: unknown[]): unknown {
    if (!new.target) return new RealDate(now()).toString();
    const target = new.target === (VirtualDate as unknown) ? RealDate : new.target;
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, target);
  }
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(RealDate)))
    Object.defineProperty(VirtualDate, name, descriptor);
  Object.defineProperty(VirtualDate, 'now', {
    value: now,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return VirtualDate as unknown as DateConstructor;
}
