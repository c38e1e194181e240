import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The width of an element in pixels, so that what is drawn in it has letters of their own size on every screen. */
export function useWidth(usual: number): [ref: RefObject<HTMLElement>, width: number] {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(usual)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(280, Math.floor(entry!.contentRect.width))))
    if (ref.current) watch.observe(ref.current)
    return () => watch.disconnect()
  }, [])
  return [ref, width]
}
