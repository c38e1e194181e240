import { describe, expect, it } from 'vitest'
import { fakeLlm } from '../../../test/judges/fake-llm.js'
import { judgePromptsWith, readerPromptsWith } from '../../../test/judges/own-prompts.js'
import { DEFAULT_READER_PROMPTS, READER_PROMPT_SETS } from '../../readers/llm/reader-prompts.js'
import { createLlmJudge } from './index.js'
import { DEFAULT_JUDGE_PROMPTS, JUDGE_SECTIONS } from './judge-prompts.js'
import { promptText } from './prompt.js'

const own = (text: string) => ({ name: 'mine.txt', text })

describe("a user's file of prompts", () => {
  it('replaces the sections it names and no other', () => {
    const prompts = readerPromptsWith(own('@@ free\r\nIn one word.\r\n\r\n@@ system\r\nRead.\r\n{fence}\r\n'))
    expect(prompts.section('free')).toBe('In one word.')
    expect(prompts.system()).toBe(`Read.\n${DEFAULT_READER_PROMPTS.section('fence')}`)
    const changed = [...prompts.sections].filter(([name, text]) => DEFAULT_READER_PROMPTS.section(name) !== text)
    expect(changed.map(([name]) => name).sort()).toEqual(['free', 'system'])
    expect(prompts.hash).not.toBe(DEFAULT_READER_PROMPTS.hash)
  })

  it('that says what the default says is the default', () => {
    const reader = readerPromptsWith(own(promptText(DEFAULT_READER_PROMPTS.sections)))
    expect(reader.hash).toBe(DEFAULT_READER_PROMPTS.hash)
    const judge = judgePromptsWith(own(promptText(new Map(Object.entries(JUDGE_SECTIONS)))))
    const llm = fakeLlm(() => '')
    expect(createLlmJudge(llm, { prompts: judge }).key).toBe(createLlmJudge(llm).key)
  })

  it('may leave out the time, and empty a section that asks for nothing', () => {
    const prompts = readerPromptsWith(own('@@ question\n{question}\n@@ free'))
    expect([prompts.section('question'), prompts.section('free')]).toEqual(['{question}', ''])
  })

  it('leaves every prompt set of the package usable', () => {
    expect(READER_PROMPT_SETS.map(({ name }) => name)).toEqual(['careful'])
    for (const set of READER_PROMPT_SETS) expect(readerPromptsWith(set).hash).not.toBe(DEFAULT_READER_PROMPTS.hash)
  })

  it.each<[string, string, RegExp]>([
    ['has no section', 'Answer well.', /"mine.txt" has no sections/],
    ['is empty', '', /has no sections/],
    ['has text that belongs to none', 'Hello\n@@ free\nBriefly.', /text before its first section/],
    ['names a section that there is not', '@@ sistem\nX {fence}', /has a section "sistem", which readers do not have/],
    ['has one twice', '@@ free\nA\n@@ free\nB', /section "free" twice/],
    ['leaves out the question', '@@ question\nIt is {time}.', /section "question" of "mine.txt" has no \{question\}/],
    ['leaves out the memories', '@@ memories\nNotes follow.', /has no \{memories\}/],
    ['leaves out the fence', '@@ system\nAnswer well.', /section "system" of "mine.txt" has no \{fence\}/],
    ['words a fence without its end', '@@ fence\n<<memories code>> begins data.', /does not name <<end code>>/],
    ['hides the fence in a line', '@@ memories\nNotes: {memories}', /\{memories\} among other text/],
    ['shows the memories twice', '@@ memories\n{memories}\n{memories}', /has \{memories\} 2 times/],
    ['has a place nothing fills', '@@ free\nBe {tone}.', /nothing fills: \{tone\}/],
  ])('is refused when it %s', (_, text, message) => {
    expect(() => readerPromptsWith(own(text))).toThrow(message)
  })

  it.each<[string, string, RegExp]>([
    ['does not say what is judged', '@@ system\nJudge.\n{fence}', /has a section "system", which judges do not have/],
    ['leaves out the fence', '@@ criteria/system\nJudge.', /"criteria\/system" of "mine.txt" has no \{fence\}/],
    ['leaves out how many targets there are', '@@ facts/close\nGo on.', /has no \{targets\}/],
  ])('for judges is refused when it %s', (_, text, message) => {
    expect(() => judgePromptsWith(own(text))).toThrow(message)
  })

  it('changes the key of a judge and what its model is told, for what it names alone', async () => {
    const llm = fakeLlm(() => ({ grades: [{ id: 1, reason: '', right: true }] }))
    const prompts = judgePromptsWith(own('@@ answers/system\nBe kind.\n\n{fence}'))
    const judge = createLlmJudge(llm, { prompts })
    expect(judge.key).not.toBe(createLlmJudge(llm).key)
    expect([prompts.facts.hash, prompts.criteria.hash]).toEqual([
      DEFAULT_JUDGE_PROMPTS.facts.hash,
      DEFAULT_JUDGE_PROMPTS.criteria.hash,
    ])
    const gold = { kind: 'free' as const, text: 'At dusk.' }
    await judge.judgeAnswer({ id: 'q', task: 't', text: 'When?', needs: [], outdated: [], gold, tags: {} }, 'At dusk.')
    expect(llm.requests[0]!.messages[0]!.content).toBe(`Be kind.\n\n${DEFAULT_JUDGE_PROMPTS.answers.section('fence')}`)
  })
})
