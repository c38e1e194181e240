import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fitReply, strictFit } from './fit.js'
import { parseLooseJson } from './loose-json.js'

const Memories = z.object({
  memories: z.array(
    z.object({ id: z.string(), text: z.string(), event: z.enum(['add', 'update']), weight: z.number() }),
  ),
})
const asked = { memories: [{ id: '0', text: "Ada's cat likes figs", event: 'add', weight: 3 }] }
const json = JSON.stringify(asked)
const explain = (error: z.ZodError) => error.message

const fitted = async (text: string, schema: z.ZodType = Memories) => {
  const found = await fitReply(text, schema, explain)
  return found.ok ? found.value : 'again'
}

describe('a reply that is not quite what was asked for', () => {
  it.each([
    ['as it should be', json],
    ['a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['a fence without a line of its own', `\`\`\`${json}\`\`\``],
    ['prose with brackets before it', `I looked at [1] and {this}.\n${json}\nAnything else?`],
    ['twice the same', `${json}\n\nThat is:\n${json}`],
    ['a comma too many', json.replace('}]', '},]')],
    ['a comment', json.replace('[{', '[ // all of them\n{')],
    ['single quotes', json.replaceAll('"', "'")],
    ['names without quotes', json.replace(/"(\w+)":/g, '$1:')],
    ['a line break inside of a string', json.replace('likes figs', 'likes figs').replace('cat ', 'cat ')],
    ['enums in capitals', json.replace('"add"', '"ADD"')],
    ['numbers as text and text as numbers', json.replace('"weight":3', '"weight":"3"').replace('"id":"0"', '"id":0')],
    ['a bare list', JSON.stringify(asked.memories)],
    ['a wrapper', JSON.stringify({ result: asked })],
    ['one thing for a list', JSON.stringify({ memories: asked.memories[0] })],
    ['names in another case', json.replace('"memories"', '"Memories"')],
    ['JSON as a text', JSON.stringify(json)],
  ])('with %s is taken', async (_, text) => {
    expect(await fitted(text)).toEqual(asked)
  })

  it.each([
    ['is cut off', json.slice(0, -12)],
    ['holds two different values that fit', `${json}\n${json.replace('figs', 'dates')}`],
    ['misses a field', JSON.stringify({ memories: [{ id: '0', text: 'x', event: 'add' }] })],
    ['has a value that is none of an enum', json.replace('"add"', '"keep"')],
    ['is a refusal', "I'm sorry, I can't help with that."],
    ['speaks of nothing', '{"memories": "none"}'],
  ])('that %s is asked for again', async (_, text) => {
    expect(await fitted(text)).toBe('again')
  })

  it('never bends a text that stands for nothing into a list of it', async () => {
    const Facts = z.object({ facts: z.array(z.string()) })
    expect(await fitted('{"facts": "User likes figs"}', Facts)).toEqual({ facts: ['User likes figs'] })
    for (const nothing of ['none', 'No facts.', 'N/A', '']) {
      expect(await fitted(JSON.stringify({ facts: nothing }), Facts)).toBe('again')
    }
    expect(await fitted('{"facts": null}', Facts)).toEqual({ facts: [] })
  })

  it('is refused to a judge, whose words count to the letter', async () => {
    const Verdict = z.object({ yes: z.boolean() })
    for (const text of [
      '{"yes": "true"}',
      "{'yes': true}",
      '[1] says so: {"yes": true}',
      '{"result": {"yes": true}}',
    ]) {
      expect((await strictFit(text, Verdict, explain)).ok).toBe(false)
      expect(await fitted(text, Verdict)).toEqual({ yes: true })
    }
  })

  it('reads whatever JSON can be written, and gives back the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseLooseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
        const loose = `/* all */ ${JSON.stringify(value, null, 1)} // end`
        expect(parseLooseJson(loose)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })
})
