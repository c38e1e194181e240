import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LanguageModelV3, ProviderV3 } from '@ai-sdk/provider'
import { findPackage, requirePackage } from '../../base/packages.js'
import type { ProviderKind } from './provider-config.js'

/** An official package that is installed only by those who need it. */
interface Peer {
  name: string
  /** The line that runs on Node 20; the next one needs a newer one. */
  major: string
  create: string
}

const PEERS: Readonly<Partial<Record<ProviderKind, Peer>>> = {
  azure: { name: '@ai-sdk/azure', major: '3', create: 'createAzure' },
  vertex: { name: '@ai-sdk/google-vertex', major: '4', create: 'createVertex' },
  bedrock: { name: '@ai-sdk/amazon-bedrock', major: '4', create: 'createAmazonBedrock' },
  groq: { name: '@ai-sdk/groq', major: '3', create: 'createGroq' },
  mistral: { name: '@ai-sdk/mistral', major: '3', create: 'createMistral' },
  deepseek: { name: '@ai-sdk/deepseek', major: '2', create: 'createDeepSeek' },
}

/** These speak the protocol of OpenAI, too, so that they can be had without their package. */
const COMPATIBLE_TOO: readonly ProviderKind[] = ['groq', 'mistral', 'deepseek']

/** A provider of an official package. Some serve conversations apart from their other APIs. */
export type PeerProvider = ProviderV3 & { chat?(model: string): LanguageModelV3 }

type PeerModule = Record<string, ((settings: object) => PeerProvider) | undefined>

/**
 * The provider of the official package for a kind; null when it is not installed and can be done without.
 *
 * @throws UserError that says what to install
 */
export async function loadPeer(
  kind: ProviderKind,
  settings: object,
  cwd = process.cwd(),
): Promise<PeerProvider | null> {
  const { name, major, create } = PEERS[kind]!
  if (COMPATIBLE_TOO.includes(kind) && findPackage(name, cwd) === undefined) return null
  const folder = requirePackage(`Models of ${kind}`, name, major, cwd)
  const made: PeerModule = await import(pathToFileURL(join(folder, 'dist', 'index.mjs')).href)
  return made[create]!(settings)
}
