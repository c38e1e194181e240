import { useEffect, useState } from 'preact/hooks'

/** Where somebody is: a page, and everything that was chosen on it. All of it stands in the address. */
export interface Route {
  page: string
  params: Params
}

export type Params = Readonly<Record<string, string | undefined>>

/** A place from the part of the address behind `#`. */
function readRoute(hash: string): Route {
  const [page = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { page, params: Object.fromEntries(new URLSearchParams(query)) }
}

/** The address of a place. What is empty is left out. */
export function href(page: string, params: Params = {}): string {
  const given = Object.entries(params).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
  const query = new URLSearchParams(given).toString()
  return `#/${page}${query === '' ? '' : `?${query}`}`
}

/** The place somebody is at, now and whenever it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return readRoute(hash)
}

/** Changes what was chosen on the page somebody is at, without a new entry in the history. */
export function chooseInAddress(change: Params): void {
  const { page, params } = readRoute(location.hash)
  history.replaceState(null, '', href(page, { ...params, ...change }))
  dispatchEvent(new HashChangeEvent('hashchange'))
}
