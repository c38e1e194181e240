import type { z } from 'zod'
import type { SystemContext, SystemOptions } from '../../model/index.js'
import { type OptionsSchema, readOptions } from '../options.js'
import { askerOf, type UsualAsk } from './asker.js'
import { Journal } from './journal.js'

/** A system with a model, as far as its parts depend on it. An option `temperature` comes before the one given here. */
interface ModelSystem<Step extends string, S extends OptionsSchema> extends UsualAsk<Step> {
  name: string
  options: S
  prompts: Readonly<Record<Step, string>>
}

/** Makes what a system with a model works with: context, settings, journal and model, and what the system adds to them. */
export function partsMaker<Step extends string, S extends OptionsSchema, P extends object>(
  { name, options, prompts, ...usual }: ModelSystem<Step, S>,
  add: (base: { context: SystemContext; settings: z.output<S>; journal: Journal }) => P,
) {
  return (context: SystemContext, given: SystemOptions) => {
    const settings = readOptions(options, given)
    const base = { context, settings, journal: new Journal() }
    const { temperature } = settings
    const model = askerOf(context, name, prompts, { ...usual, ...(typeof temperature === 'number' && { temperature }) })
    return { ...base, model, ...add(base) }
  }
}
