import type { LoadedPlanSuite, Plan, RunRequest } from '../../engine/plan.js'
import type { JudgePair } from '../../model/index.js'
import type { AskedSuite } from '../asked-suites.js'
import type { PromptWords } from '../choices.js'
import type { Parts } from '../own-parts.js'

/** How a setting is typed, and what help says of it. */
interface Typed {
  type: 'text' | 'list' | 'switch'
  /** What stands behind the flag in the help. */
  value?: string
  about: string
  /** What is meant where nobody asks, as help tells it. */
  usual?: string | number
}

/** What a fingerprint is made from: the request, the data that was read, and the keys of whatever judges, reads and embeds. */
export interface SettingFacts {
  request: RunRequest
  suites: readonly Pick<LoadedPlanSuite, 'suite' | 'datasetHash'>[]
  judge: JudgePair<string>
  readers: Readonly<Record<string, string>>
  embedder: string
  harness: string
}

/** A part of the fingerprint, or several of a kind. */
export interface SettingPart {
  /** The word by which `--despite` allows it to differ. */
  word: string
  /** Whether a kept part is this one. */
  isPart(name: string): boolean
  /** What reports call it; null where a choice tells the same. Its own name unless given. */
  label?: string | null
  of(facts: SettingFacts): Record<string, string>
}

/** A part of the fingerprint with a name of its own; it is left out where its value is undefined. */
export function part(
  name: string,
  of: (facts: SettingFacts) => string | undefined,
  { word = name, ...label }: Partial<Pick<SettingPart, 'word' | 'label'>> = {},
): SettingPart {
  return {
    word,
    ...label,
    isPart: (other) => other === name,
    of: (facts) => {
      const value = of(facts)
      return value === undefined ? {} : { [name]: value }
    },
  }
}

/** A part of the fingerprint of every suite, as `data of birthdays`. */
export function partOfSuites(word: string, of: (loaded: SettingFacts['suites'][number]) => string): SettingPart {
  return {
    word,
    isPart: (name) => name.startsWith(`${word} of `),
    of: ({ suites }) => Object.fromEntries(suites.map((one) => [`${word} of ${one.suite.name}`, of(one)])),
  }
}

/** What a setting is read with: what is known of the whole request. */
export interface SettingContext {
  parts: Parts
  /** Suites as they were asked for, or those of the run that goes on. */
  suites: readonly AskedSuite[]
  /** What suites are set to, as asked. */
  settings: Readonly<Record<string, string>>
  /** A run that begins: what one that goes on reads and judges with is kept with it. */
  isFresh: boolean
  /** Models inside memory systems. */
  models: readonly string[]
  /** Nothing was named: a first look. */
  isTour: boolean
  /** `--size quick` unless one is named. */
  isShort: boolean
  /** What the settings before this one in the table came to. */
  sofar: Readonly<Partial<RunRequest>>
}

/** What becomes of a setting that is given again when a run goes on. */
export interface OnResume<Given> {
  /** What it was, or is, in a request: what is told when it may not differ. */
  was(request: RunRequest): unknown
  /** What is asked now, where the request alone does not tell. */
  now?(request: RunRequest, given: Given): unknown
  /** The request with what was added; null where that cannot be. Without it the setting must be what it was. */
  grow?(kept: RunRequest, asked: RunRequest): Partial<RunRequest> | null
  /** Refuses in words of its own, in the place of `was`. */
  refuse?(kept: RunRequest, asked: RunRequest): void
}

/** A run in words, for reports. */
export type ToldPlan = Pick<Plan, 'request' | 'suites' | 'subjects'> & { prompts: PromptWords }

/** A line of a report about what was asked for; null where there is nothing to say. */
export type ToldChoice = [label: string, value: string | null]

/** A setting of what is measured: kept with the run. */
export interface RequestSetting<Given, Fields> extends Typed {
  readonly given?: Given
  /** Its fields of the request, checked; `given` is undefined where nobody asked. */
  request(given: Given | undefined, asking: SettingContext): Fields | Promise<Fields>
  onResume: OnResume<Given>
  /** Parts of the fingerprint; without any it may differ between runs that are compared. */
  parts?: readonly SettingPart[]
  /** What reports say of it. */
  choices?(told: ToldPlan): ToldChoice[]
}

/** A setting of one call: how it is worked and where results go. It is read anew whenever a run goes on. */
export interface CallSetting<Given, Value> extends Typed {
  readonly given?: Given
  /** The value, checked. */
  read(given: Given): Value
}

export type Setting = RequestSetting<unknown, Partial<RunRequest>> | CallSetting<unknown, unknown>

/** The options of a call that takes these settings: their names are those of the flags, as `tokenBudget` is of `--token-budget`. */
export type OptionsOf<T extends Record<string, { readonly given?: unknown }>> = {
  -readonly [K in keyof T]?: NonNullable<T[K]['given']>
}

type Written<Given, Got> = <Fields extends Partial<RunRequest>>(
  setting: Omit<RequestSetting<Given, Fields>, 'request' | 'usual'> & {
    request(given: Got, asking: SettingContext): Fields | Promise<Fields>
  },
) => RequestSetting<Given, Fields>

/**
 * A setting of what is measured; `Given` is what a caller of the library may give.
 *
 * @param usual what is meant where nobody asks
 */
export function ofRequest<Given>(): Written<Given, Given | undefined>
export function ofRequest<Given extends string | number>(usual: Given): Written<Given, Given>
export function ofRequest<Given extends string | number>(usual?: Given): Written<Given, Given> {
  return ({ request, ...setting }) => ({
    ...setting,
    ...(usual !== undefined && { usual }),
    request: (given = usual, asking) => request(given as Given, asking),
  })
}

/** A setting of one call. */
export function ofCall<Given>() {
  return <Value>(setting: CallSetting<Given, Value>) => setting
}

/** Whether a setting is of what is measured. */
export function isOfRequest(setting: Setting): setting is RequestSetting<unknown, Partial<RunRequest>> {
  return 'request' in setting
}

/** The flag of a setting: `tokenBudget` is typed as `--token-budget`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
