/**
 * Who did something by the name under which a run knows it. Doing it again is somebody of their own, named with the number of the time, so
 * that what they said is kept and cached apart.
 *
 * @example timeOf('openai:gpt-5#3') // { name: 'openai:gpt-5', trial: 2 }
 */
export function timeOf(named: string): { name: string; trial: number } {
  const [, name, time] = /^(.+)#([1-9]\d*)$/.exec(named) ?? []
  return name === undefined ? { name: named, trial: 0 } : { name, trial: Number(time) - 1 }
}

/** The name, or key, of somebody who does a thing for the n-th time, counted from 0; the first is their own. */
export function timed(name: string, trial: number): string {
  return trial === 0 ? name : `${name}#${trial + 1}`
}
