import { wholeNumber } from '../../base/whole-number.js'
import { DEFAULT_JUDGE } from '../../builtins.js'
import { type JudgePair, type OwnPrompts, sameJudgePair } from '../../model/index.js'
import type { Parts } from '../own-parts.js'
import { judgePromptFrom, requireSamePrompts } from '../prompts.js'
import type { JudgeObject } from '../types.js'
import { MOST_TRIALS } from './readers.js'
import { ofRequest, part } from './setting.js'

/** Who judges. */
export const JUDGES = {
  /** Of facts and answers: `lexical` unless given. */
  judge: ofRequest<string | JudgeObject>()({
    type: 'text',
    value: '<name>',
    about:
      'of facts and answers: lexical (default; lexical:model=no by words alone), llm:p:m, hybrid:p:m, panel:a,b,c, paper:p:m or ./my-judge.ts',
    request: (judge, { parts }) => ({ judge: judgesFrom({ judge }, sameJudgePair(DEFAULT_JUDGE), parts) }),
    onResume: { was: ({ judge }) => judge },
    parts: [
      part('fact judge', ({ judge }) => judge.facts, { word: 'judge', label: 'exact judge of facts' }),
      part('answer judge', ({ judge }) => judge.answers, { word: 'judge', label: 'exact judge of answers' }),
    ],
    choices: ({ request: { judge } }) =>
      judge.facts === judge.answers
        ? [['judge', judge.facts]]
        : [
            ['judge of facts', judge.facts],
            ['judge of answers', judge.answers],
          ],
  }),
  /** Who judges facts, instead of `judge`. */
  factJudge: ofRequest<string | JudgeObject>()({
    type: 'text',
    value: '<name>',
    about: 'who judges facts, instead of --judge',
    request: (factJudge, { sofar, parts }) => ({ judge: judgesFrom({ factJudge }, sofar.judge!, parts) }),
    onResume: { was: ({ judge }) => judge.facts },
  }),
  /** Who judges answers and criteria, instead of `judge`. */
  answerJudge: ofRequest<string | JudgeObject>()({
    type: 'text',
    value: '<name>',
    about: 'who judges answers and criteria, instead of --judge',
    request: (answerJudge, { sofar, parts }) => ({ judge: judgesFrom({ answerJudge }, sofar.judge!, parts) }),
    onResume: { was: ({ judge }) => judge.answers },
  }),
  /** What models that judge are told: a file of sections to replace, or its text. */
  judgePrompt: ofRequest<string | OwnPrompts>()({
    type: 'text',
    value: '<file>',
    about: 'what models that judge are told: a file of sections to replace; see models --prompts judge',
    request: async (given, { sofar, parts, isFresh }) => {
      const found = await judgePromptFrom(given, isFresh ? Object.values(sofar.judge!) : null, parts)
      return found ?? {}
    },
    onResume: {
      was: ({ judgePrompt }) => judgePrompt?.name ?? 'default',
      refuse: (kept, asked) => requireSamePrompts('judge-prompt', kept.judgePrompt, asked.judgePrompt),
    },
    choices: ({ prompts }) => [['judge prompt', prompts.judge]],
  }),
  /** How often a judge with a model judges it all. */
  judgeTrials: ofRequest<number>(1)({
    type: 'text',
    value: '<n>',
    about: 'how often a judge with a model judges it all',
    request: (given) => ({ judgeTrials: wholeNumber('judge-trials', given, 1, MOST_TRIALS) }),
    onResume: {
      was: ({ judgeTrials }) => judgeTrials,
      grow: (kept, { judgeTrials }) => (judgeTrials < kept.judgeTrials ? null : { judgeTrials }),
    },
    choices: ({ request }) => [['judge trials', request.judgeTrials > 1 ? String(request.judgeTrials) : null]],
  }),
} as const

interface NamedJudges {
  judge?: string | JudgeObject | undefined
  factJudge?: string | JudgeObject | undefined
  answerJudge?: string | JudgeObject | undefined
}

/** Who judges, as asked: `judge` is both, unless one is named apart. What is not asked for is as it was. */
export function judgesFrom(asked: NamedJudges, usual: JudgePair<string>, parts: Parts): JudgePair<string> {
  const [facts, answers] = [asked.factJudge ?? asked.judge, asked.answerJudge ?? asked.judge]
  return {
    facts: facts === undefined ? usual.facts : parts.name(facts),
    answers: answers === undefined ? usual.answers : parts.name(answers),
  }
}
