import { UserError } from '../base/errors.js'
import { specOf } from '../base/outside-spec.js'
import { definedKind, objectHash } from '../base/own-file.js'
import { judges, readers, systems } from '../builtins.js'
import { instrumentFrom, type OwnInstrument } from '../judges/asked.js'
import type { JudgeDefinition, OwnSystem, ReaderDefinition, Suite, SystemDefinition } from '../model/index.js'
import { suiteFrom } from '../suites/registry.js'
import { definitionFrom } from '../systems/outside/import-file.js'
import type { OwnPart, Several } from './types.js'

/** Objects of a caller, by the names under which requests know them: a run keeps names alone. */
export class Parts {
  readonly systems = new Map<string, SystemDefinition>()
  readonly judges = new Map<string, OwnInstrument<JudgeDefinition>>()
  readonly readers = new Map<string, OwnInstrument<ReaderDefinition>>()
  readonly suites = new Map<string, Suite>()

  readonly #objects = new Map<string, OwnPart>()

  constructor(objects: readonly OwnPart[] = []) {
    for (const one of objects) this.name(one)
  }

  /** Names as they are, and of objects theirs, under which they are found from then on; undefined when nothing was given. */
  names(given: Several<string | OwnPart> | undefined): string[] | undefined {
    if (given === undefined) return undefined
    return [given].flat().map((one) => this.name(one))
  }

  /** A name as it is, or that of an object. */
  name(part: string | OwnPart): string {
    if (typeof part !== 'object') return part
    if ('use' in part) return specOf(part)
    const { name } = part
    if (!name)
      throw new UserError('A part that is given as an object needs a name.', "Add one to it: { name: 'my-memory', … }")
    const known = this.#objects.get(name)
    if (known === part) return name
    if (known) throw new UserError(`Two objects are called "${name}".`, 'Give one of them another name.')
    this.#objects.set(name, part)
    const kind = definedKind(part)
    const content = objectHash(part)
    if ('tasks' in part) this.suites.set(name, suiteFrom(part, name, content))
    else if (kind === 'judge')
      this.judges.set(name, { definition: instrumentFrom(part, name, kind, '', name), content })
    else if (kind === 'reader')
      this.readers.set(name, { definition: instrumentFrom(part, name, kind, '', name), content })
    else {
      const { version, ...rest } = definitionFrom(part, name)
      this.systems.set(name, {
        ...rest,
        ...saidOf(part as OwnSystem),
        name,
        version: version ? `${version}+${content}` : content,
      })
    }
    const builtin = kind === 'judge' ? judges : kind === 'reader' ? readers : systems
    if (builtin.some((one) => one.name === name))
      throw new UserError(`"${name}" is the name of one that is built in.`, 'Give the object another name.')
    return name
  }
}

/** What an object says of itself and a file, which is in a process of its own, does not. */
function saidOf({ mostFound, paperK, speakers }: OwnSystem): Partial<SystemDefinition> {
  return {
    ...(mostFound && { mostFound }),
    ...(paperK && { paperK }),
    ...(speakers && { speakers }),
  }
}

/** The objects among what may be names. */
export function objectsAmong(given: readonly (Several<string | OwnPart> | undefined)[]): OwnPart[] {
  return given.flat().filter((one): one is OwnPart => typeof one === 'object')
}
