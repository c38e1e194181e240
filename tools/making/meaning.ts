import { createEntailment } from '../../src/gateway/entailment/index.js'

/** How a text stands to a claim: three shares that come to one. */
export interface Stand {
  entailed: number
  neutral: number
  contradicted: number
}

/** Reads texts for claims, by the entailment model. */
export interface Meaning {
  of(text: string, ...claims: string[]): Promise<Stand[]>
  close(): Promise<void>
}

/** Opens the model; it loads when it is first asked, and keeps what it read from one making to the next. */
export function openMeaning(): Meaning {
  const model = createEntailment({ cacheDir: process.env.MEMSCOPE_CACHE || 'node_modules/.cache/memscope' })
  return {
    async of(text, ...claims) {
      const read = await model.read(claims.map((fact) => ({ fact, memories: text })))
      return read.map(([entailed, neutral, contradicted]) => {
        const most = Math.max(entailed!, neutral!, contradicted!)
        const [e, n, c] = [entailed!, neutral!, contradicted!].map((logit) => Math.exp(logit - most))
        const sum = e! + n! + c!
        return { entailed: e! / sum, neutral: n! / sum, contradicted: c! / sum }
      })
    },
    close: () => model.close(),
  }
}
