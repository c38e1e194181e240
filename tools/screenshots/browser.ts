import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const PATHS = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser that is installed here; undefined where there is none. */
export const installedBrowser = PATHS.find((path) => path !== '' && existsSync(path))

/** Where a browser must be there: what the viewer does in one is part of every build. */
export const needsBrowser = process.env.CI === 'true' || process.env.CI === '1'

export async function openBrowser(): Promise<Browser> {
  if (installedBrowser === undefined) throw new Error('Chromium is not installed: apt-get install chromium')
  // Root, as in most containers, may not use the sandbox.
  return chromium.launch({ executablePath: installedBrowser, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

/** A page, with all that went wrong on it: errors it told or threw, and requests to anywhere else. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options })
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:\d+\/|data:|file:)/.test(request.url())) faults.push(`asked for ${request.url()}`)
  })
  page.setDefaultTimeout(30_000)
  return { page, faults }
}
