import { useEffect, useRef, useState } from 'preact/hooks'
import type { RunIndex } from '../run-index.js'
import { countEnds, countOutcomes, listFacts, listRows, type RowQuery } from '../select-rows.js'
import type { Params } from './route.js'

/** A run that lies beside the page, in files that each hand something over. */
interface Bundle {
  run: string
  /** The file in which a question or conversation lies, by its key. */
  files: Record<string, string>
  given: Record<string, unknown>
  /** What can be opened of it, and how to see the rest, in words. */
  holds: string
}

declare global {
  interface Window {
    memscopeBundle?: Bundle
  }
}

/** Whether the page has its run beside it and no server behind it. */
export const isBundle = (): boolean => window.memscopeBundle !== undefined

const loading = new Map<string, Promise<void>>()

/** Has a file of the bundle hand over what it holds. Scripts may be read from a file, where fetching may not. */
function loadFile(name: string): Promise<void> {
  const known = loading.get(name)
  if (known) return known
  const done = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `data/${name}.js`
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`data/${name}.js cannot be read.`))
    document.head.append(script)
  })
  loading.set(name, done)
  return done
}

/** The same answers as a server gives, from files. */
async function fromBundle(what: string, asked: Params): Promise<unknown> {
  const bundle = window.memscopeBundle!
  const given = async (file: string, key: string) => {
    await loadFile(file)
    return bundle.given[key]
  }
  if (what in SELECTIONS) {
    const index = (await given('index', 'index')) as RunIndex
    const { task, system, outcome, depth, search, end } = asked
    const chosen = Object.entries({ task, system, outcome, depth, search, end }).filter(([, value]) => value)
    return SELECTIONS[what]!(index, Object.fromEntries(chosen), Number(asked.from ?? 0), Number(asked.most ?? 100))
  }
  if (what === 'run' || what === 'graphs' || what === 'compare') {
    const found = (await given('run', what)) as Record<string, unknown> | undefined
    if (what !== 'compare') return found
    return found?.[asked.systems ?? ''] ?? Promise.reject(new Error('Only systems of this run are compared here.'))
  }
  const key = JSON.stringify([
    what,
    asked.scenario,
    asked.id ?? null,
    asked.system,
    asked.trial ?? '0',
    asked.time ?? '0',
  ])
  const file = bundle.files[key]
  if (file === undefined) throw new Error(`This is not part of the bundle. ${bundle.holds}`)
  return given(file, key)
}

type Selection = (index: RunIndex, query: RowQuery, from: number, most: number) => unknown
const SELECTIONS: Record<string, Selection> = {
  rows: listRows,
  facts: listFacts,
  counts: countOutcomes,
  ends: countEnds,
}

/** Asks for something by name. @throws with what went wrong, in words */
export async function askServer<T>(what: string, asked: Params, signal?: AbortSignal): Promise<T> {
  if (isBundle()) return (await fromBundle(what, asked)) as T
  const given = Object.entries(asked).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
  return reply(fetch(`api/${what}?${new URLSearchParams(given)}`, signal ? { signal } : {}))
}

/** Has something done. */
export async function tellServer<T>(what: string, given: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return reply(fetch(`api/${what}`, { method: 'POST', headers, body: JSON.stringify(given) }))
}

async function reply<T>(sent: Promise<Response>): Promise<T> {
  const response = await sent
  const body = await response.json()
  if (!response.ok) throw new Error([body.error, body.hint].filter(Boolean).join(' '))
  return body
}

/** What is known of something that was asked for. While it is asked for again, what was known before stays. */
export interface AnswerState<T> {
  data?: T
  error?: string
  isLoading: boolean
}

const KEPT = 100

/** What changes without a version that tells it. */
const FRESH = ['runs', 'queues', 'table']
const kept = new Map<string, unknown>()

/** Asks for something whenever what is asked changes. @param what null for nothing @param version asked again when it changes */
export function useAnswer<T>(what: string | null, asked: Params, version = ''): AnswerState<T> {
  const key = what === null ? '' : JSON.stringify([what, asked, version])
  const [answer, setAnswer] = useState<AnswerState<T>>({ isLoading: true })
  const shown = useRef('')
  useEffect(() => {
    if (what === null) return
    if (kept.has(key) && !FRESH.includes(what)) {
      shown.current = what
      setAnswer({ data: kept.get(key) as T, isLoading: false })
      return
    }
    const stop = new AbortController()
    setAnswer((before) => ({
      ...(shown.current === what && before.data !== undefined && { data: before.data }),
      isLoading: true,
    }))
    askServer<T>(what, asked, stop.signal).then(
      (data) => {
        kept.set(key, data)
        for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old)
        shown.current = what
        if (!stop.signal.aborted) setAnswer({ data, isLoading: false })
      },
      (error) => {
        if (!stop.signal.aborted)
          setAnswer({ error: error instanceof Error ? error.message : String(error), isLoading: false })
      },
    )
    return () => stop.abort()
  }, [key])
  return answer
}
