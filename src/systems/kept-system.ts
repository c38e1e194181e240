import { UserError } from '../base/errors.js'
import { hasModelInside, type SystemDefinition } from '../model/index.js'
import type { ResolvedSystem } from './registry.js'

/** What is kept of a user's own system with a run, so that the run can be read when the system is changed, gone or not running. */
export interface KeptSystem extends Pick<ResolvedSystem, 'label' | 'options'> {
  definition: Omit<SystemDefinition, 'create' | 'rehearsal' | 'withoutModel'>
  /** It can play its model. */
  rehearsed: boolean
}

export async function keptSystem({ definition, label, options }: ResolvedSystem): Promise<KeptSystem> {
  const { create: _create, rehearsal, withoutModel: _withoutModel, ...data } = definition
  const needs = { ...data.needs, llm: await hasModelInside(definition, options) }
  return { label, options, definition: { ...data, needs }, rehearsed: rehearsal !== undefined }
}

/**
 * The system again, from what was kept of it. It is loaded when a memory of it is made, and refused then if it is no longer the same.
 *
 * @param load the system as it is now
 */
export function systemFrom(
  { label, options, definition, rehearsed }: KeptSystem,
  load: () => Promise<ResolvedSystem>,
): ResolvedSystem {
  let loaded: Promise<SystemDefinition> | null = null
  const asItWas = () =>
    (loaded ??= load().then(({ definition: now }) => {
      if (now.version === definition.version) return now
      throw new UserError(`${label} changed since the run was made.`, 'Put it back as it was, or start a new run.')
    }))
  return {
    label,
    options,
    outside: true,
    definition: {
      ...definition,
      ...(rehearsed && { rehearsal: async (call) => (await asItWas()).rehearsal!(call) }),
      create: async (context, given) => (await asItWas()).create(context, given),
    },
  }
}
