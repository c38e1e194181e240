import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ListPage } from '../select-rows.js'
import type { Params } from './route.js'
import { askServer } from './source.js'

/** Lines that are asked for at a time, and those drawn beyond what is seen. */
const CHUNK = 100
const BEYOND = 8

/** Lines in pixels: on a narrow screen a line has room for two rows of words. */
const HEIGHT = { wide: 46, narrow: 76 }

/**
 * A list of any length of which only what is seen is asked for and drawn. Arrow keys, Page Up and Down, Home and End move along it.
 *
 * @param line draws what is in a line: one link
 */
export function VirtualList<T>(props: {
  what: string
  asked: Params
  version?: string
  label: string
  line(item: T, at: number): VNode
  onTotal?(total: number): void
}): VNode {
  const { what, asked, label, line, version = '' } = props
  const key = JSON.stringify([what, asked, version])
  const box = useRef<HTMLDivElement>(null)
  const chunks = useRef(new Map<number, T[]>())
  const [state, setState] = useState({ key: '', total: 0, error: '' })
  const [top, setTop] = useState(0)
  const [active, setActive] = useState(0)
  // Keys may come faster than lines are drawn: where they led is known at once, the focus follows.
  const place = useRef(0)
  const moved = useRef(false)
  const height = matchMedia('(max-width: 640px)').matches ? HEIGHT.narrow : HEIGHT.wide
  const tall = box.current?.clientHeight ?? 600
  const first = Math.max(0, Math.floor(top / height) - BEYOND)
  const last = Math.min(state.total, Math.ceil((top + tall) / height) + BEYOND)

  useEffect(() => {
    const stop = new AbortController()
    askServer<ListPage<T>>(what, { ...asked, from: '0', most: String(CHUNK) }, stop.signal).then(
      ({ total, items }) => {
        const isOther = state.key !== '' && JSON.parse(state.key)[2] === version
        chunks.current = new Map([[0, items]])
        setState({ key, total, error: '' })
        if (isOther) {
          box.current?.scrollTo({ top: 0 })
          place.current = 0
          setActive(0)
        }
        props.onTotal?.(total)
      },
      (error) =>
        stop.signal.aborted ||
        setState({ key, total: 0, error: String(error instanceof Error ? error.message : error) }),
    )
    return () => stop.abort()
  }, [key])

  useEffect(() => {
    if (state.key !== key) return
    const stop = new AbortController()
    for (let chunk = Math.floor(first / CHUNK); chunk * CHUNK < last; chunk++) {
      if (chunks.current.has(chunk)) continue
      askServer<ListPage<T>>(what, { ...asked, from: String(chunk * CHUNK), most: String(CHUNK) }, stop.signal).then(
        ({ items }) => {
          chunks.current.set(chunk, items)
          setState((before) => ({ ...before }))
        },
        () => {},
      )
    }
    return () => stop.abort()
  }, [key, state.key, first, last])

  // At once after drawing: a line that is drawn no more takes the focus with it, and the next key would be lost.
  useLayoutEffect(() => {
    if (!moved.current || !box.current) return
    const line = box.current.querySelector<HTMLElement>(`[aria-posinset="${place.current + 1}"] a`)
    // What is not there yet gets it once it is.
    const target = line ?? box.current
    target.focus({ preventScroll: true })
    if (line) moved.current = false
  }, [active, top, state])

  const keys = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(tall / height) - 1)
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -state.total,
      End: state.total,
    }[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.max(0, Math.min(state.total - 1, place.current + step))
    moved.current = true
    place.current = next
    setActive(next)
    const node = box.current!
    if (next * height < node.scrollTop) node.scrollTop = next * height
    else if ((next + 1) * height > node.scrollTop + tall) node.scrollTop = (next + 1) * height - tall
    setTop(node.scrollTop)
  }

  const focused = (at: number) => {
    if (moved.current) return
    place.current = at
    setActive(at)
  }

  if (state.error !== '') return html`<p class="problem" role="alert">${state.error}</p>` as VNode
  const lines = []
  for (let at = first; at < last; at++) {
    const item = chunks.current.get(Math.floor(at / CHUNK))?.[at % CHUNK]
    const place = { top: `${at * height}px`, height: `${height}px` }
    lines.push(
      html`<div key=${at} role="listitem" class=${`line${at === active ? ' active' : ''}`} style=${place} aria-setsize=${state.total} aria-posinset=${at + 1} onFocusIn=${() => focused(at)}>${item ? line(item, at) : html`<span class="wait">…</span>`}</div>`,
    )
  }
  return html`<div class="list" ref=${box} tabindex="0" role="region" aria-label=${label} aria-busy=${state.key !== key} onScroll=${() => setTop(box.current?.scrollTop ?? 0)} onKeyDown=${keys}>
    ${state.total > 0 ? html`<div role="list" aria-label=${label} style=${{ height: `${state.total * height}px`, position: 'relative' }}>${lines}</div>` : html`<p class="wait">${state.key === '' ? 'Reading …' : 'Nothing fits.'}</p>`}
  </div>` as VNode
}
