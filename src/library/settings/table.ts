import type { RunRequest } from '../../engine/plan.js'
import { JUDGES } from './judges.js'
import { INSIDE, MODEL_SETTINGS } from './models.js'
import { READERS } from './readers.js'
import { GATES, RESULTS } from './results.js'
import { isOfRequest, type RequestSetting, type Setting, type SettingContext } from './setting.js'
import { WHAT } from './what.js'
import { PLACES, WORK } from './work.js'

/** The settings of a run, in the groups and the order in which help tells them. A setting is added to its group, and nowhere else. */
export const SETTING_GROUPS = {
  'What is run': WHAT,
  Readers: READERS,
  Judges: JUDGES,
  Models: { ...INSIDE, ...MODEL_SETTINGS },
  'How it is worked': { ...WORK, ...PLACES },
  Results: RESULTS,
  Gates: GATES,
} as const

const OF_REQUEST = { ...WHAT, ...INSIDE, ...READERS, ...JUDGES } as const

/** All settings of a run, by the names of the library's options. */
export const RUN_SETTINGS: Readonly<Record<string, Setting>> = Object.assign({}, ...Object.values(SETTING_GROUPS))

/** The settings of what is measured, in the order in which they are read. */
export const REQUEST_SETTINGS: readonly (readonly [
  name: string,
  setting: RequestSetting<unknown, Partial<RunRequest>>,
])[] = Object.entries<Setting>(OF_REQUEST).flatMap(([name, setting]) =>
  isOfRequest(setting) ? [[name, setting] as const] : [],
)

type FieldsOf<S> = S extends RequestSetting<infer _, infer Fields> ? Fields : never
type Both<T> = (T extends unknown ? (one: T) => void : never) extends (one: infer U) => void ? U : never
type TableRequest = Both<FieldsOf<(typeof OF_REQUEST)[keyof typeof OF_REQUEST]>>

/** The request that a caller's options come to, setting by setting. */
export async function readSettings(
  options: Readonly<Record<string, unknown>>,
  asking: Omit<SettingContext, 'sofar'>,
): Promise<RunRequest> {
  const request: Partial<RunRequest> = {}
  for (const [name, setting] of REQUEST_SETTINGS)
    Object.assign(request, await setting.request(options[name], { ...asking, sofar: request }))
  // The compiler holds the table to making every field of a request.
  return request as TableRequest
}
