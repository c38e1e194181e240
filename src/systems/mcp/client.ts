import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../base/errors.js'
import { findPackage } from '../../base/packages.js'
import type { JsonSchema } from '../../model/index.js'

const PACKAGE = '@modelcontextprotocol/client'
/** Releases whose interface this is written for. */
const MAJOR = '2'

/** A tool as a server tells it. */
export interface McpTool {
  name: string
  description?: string
  inputSchema: JsonSchema
  annotations?: { readOnlyHint?: boolean }
}

/** How messages travel. */
export interface Transport {
  start(): Promise<void>
  send(message: unknown): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: unknown) => void) | undefined
}

export interface SdkClient {
  onerror?: (error: Error) => void
  connect(transport: Transport, options: { timeout: number }): Promise<void>
  getServerVersion(): { name: string; version: string } | undefined
  listTools(given: undefined, options: { timeout: number }): Promise<{ tools: McpTool[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }, options: { timeout: number }): Promise<unknown>
  close(): Promise<void>
}

/** The part of the official client that is used; the package is optional, so its own types cannot be. */
export interface Sdk {
  Client: new (info: { name: string; version: string }) => SdkClient
  StreamableHTTPClientTransport: new (
    url: URL,
    options: { requestInit: { headers: Record<string, string> }; fetch: typeof fetch },
  ) => Transport & { terminateSession(): Promise<void> }
}

/**
 * The official client, where the user has it.
 *
 * @throws UserError that says how to install it
 */
export async function loadSdk(cwd: string): Promise<Sdk> {
  const advice = `Run: npm install ${PACKAGE}@${MAJOR}`
  const folder = findPackage(PACKAGE, cwd)
  if (folder === undefined) throw new UserError(`MCP servers need the package ${PACKAGE}.`, advice)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  if (version.split('.')[0] !== MAJOR)
    throw new UserError(`MCP servers need ${PACKAGE} ${MAJOR}, found ${version}.`, advice)
  return import(pathToFileURL(join(folder, 'dist', 'index.mjs')).href)
}
