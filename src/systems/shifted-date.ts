/** A `Date` whose now lies so many milliseconds off the clock of the machine; everything else is as ever. */
export function shiftedDate(Real: DateConstructor, ms: number): DateConstructor {
  class Shifted extends Real {
    constructor(...given: [] | [number | string | Date]) {
      if (given.length === 0) super(Real.now() + ms)
      else super(given[0])
    }
    static override now(): number {
      return Real.now() + ms
    }
  }
  return Shifted as DateConstructor
}
