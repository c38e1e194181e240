import { useRef } from 'preact/hooks'

/**
 * Begins work only when none is under way. Until a label is written, the case that is seen has one: a second key would be for a case that nobody
 * has read.
 */
export function useOneAtATime(): (work: () => Promise<unknown>) => void {
  const isWorking = useRef(false)
  return (work) => {
    if (isWorking.current) return
    isWorking.current = true
    work().finally(() => {
      isWorking.current = false
    })
  }
}
