import { UserError } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import {
  type AnswerCase,
  type AnswerVerdict,
  type Criterion,
  type CriterionVerdict,
  defineJudge,
  type Fact,
  type FactLabel,
  type FactVerdict,
  type Judge,
  type Memory,
  UnjudgedError,
} from '../../model/index.js'
import { gradeOfCriteria } from '../criteria.js'
import { createLexicalJudge } from '../lexical/index.js'
import { storeSide } from '../lexical/store-side.js'
import { createLlmJudge } from '../llm/index.js'
import { JUDGE_SECTIONS, judgePromptsOf } from '../llm/judge-prompts.js'

export { agreementOf, ballotsOf, type Vote } from './agreement.js'

/** Bumped whenever a verdict may change although those of the judges stay. */
const VERSION = '2'

/** Worst first. */
const LABELS: readonly FactLabel[] = ['not_stored', 'summary_error', 'correct']

/**
 * Several judges of whom the majority decides. Of labels with equally many votes the middle one counts, and of two the worse one: a fact
 * that half of the judges miss is not taken for kept. A judge that gives no verdict has no vote; at least half of the judges must vote, else
 * there is no verdict. Votes are kept with the verdict.
 *
 * @example createPanel([createLlmJudge(a), createLlmJudge(b), createLlmJudge(c)])
 */
export function createPanel(judges: readonly Judge[]): Judge {
  if (judges.length < 2) {
    throw new UserError(`Expected a panel of two or more judges, got ${judges.length}.`, 'Name them as panel:a,b,c.')
  }
  const judgeAnswers = async (items: readonly AnswerCase[], signal?: AbortSignal): Promise<AnswerVerdict[]> => {
    const all = await Promise.all(judges.map((judge) => answersOf(judge, items, signal)))
    return items.map(({ question }, i) => {
      const verdicts = all.map((list) => list[i]!)
      const { gold } = question
      return gold.kind === 'criteria' ? decideCriteria(judges, gold.criteria, verdicts) : decideAnswer(judges, verdicts)
    })
  }
  return {
    name: `panel:${judges.map(({ name }) => name).join(',')}`,
    key: `panel:${VERSION}:${fingerprint(judges.map(({ key }) => key))}`,
    judgeFacts: (facts, store, signal) => judgeFacts(judges, facts, store, signal),
    judgeStore: storeSide,
    judgeAnswer: async (question, answer, signal) =>
      (await judgeAnswers([{ question, answer, facts: [] }], signal))[0]!,
    judgeAnswers,
  }
}

/** The member of a panel that is no model. */
const WITHOUT_MODEL = 'lexical'

export const panelJudge = defineJudge({
  name: 'panel',
  about: 'several models, and lexical if it is named among them; the majority decides',
  needs: { llm: 'several' },
  prompts: JUDGE_SECTIONS,
  modelsAmong: (named) => named.filter((member) => member !== WITHOUT_MODEL),
  create: ({ embed, entail, llm, named, prompts }) =>
    createPanel(
      named.map((member) =>
        member === WITHOUT_MODEL
          ? createLexicalJudge({ embed, ...(entail && { entail }) })
          : createLlmJudge(llm(member), { prompts: judgePromptsOf(prompts) }),
      ),
    ),
})

async function judgeFacts(
  judges: readonly Judge[],
  facts: readonly Fact[],
  store: readonly Memory[],
  signal?: AbortSignal,
): Promise<FactVerdict[]> {
  const all = await Promise.all(judges.map((judge) => verdictsOf(judge, facts, store, signal)))
  const failures: { fact: string; reason: string }[] = []
  const verdicts = facts.flatMap((fact): FactVerdict[] => {
    const given = all.flatMap((byFact, i) => {
      const verdict = byFact.get(fact.id)
      return verdict ? [{ judge: judges[i]!.name, verdict }] : []
    })
    if (2 * given.length >= judges.length && given.length > 0) return [decide(fact, given)]
    failures.push({ fact: fact.id, reason: `Only ${given.length} of ${judges.length} judges gave a verdict.` })
    return []
  })
  if (failures.length > 0) throw new UnjudgedError(verdicts, failures)
  return verdicts
}

function decide(fact: Fact, given: readonly { judge: string; verdict: FactVerdict }[]): FactVerdict {
  const { winner, tied } = majority(
    given.map(({ verdict }) => verdict.label),
    LABELS,
  )
  const agreeing = given.filter(({ verdict }) => verdict.label === winner)
  const sets = new Map(
    agreeing.flatMap(({ verdict }) => verdict.support.map((set) => [JSON.stringify(set), set] as const)),
  )
  const certain = agreeing.find(({ verdict }) => !verdict.uncertain)
  return {
    fact: fact.id,
    label: winner,
    uncertain: tied || certain === undefined,
    support: [...sets.keys()].sort().map((key) => sets.get(key)!),
    reason: `${agreeing.length} of ${given.length} judges: ${(certain ?? agreeing[0]!).verdict.reason}`,
    quotes: agreeing.find(({ verdict }) => verdict.quotes.length > 0)?.verdict.quotes ?? [],
    votes: given.map(({ judge, verdict }) => ({ judge, label: verdict.label })),
  }
}

function decideAnswer(judges: readonly Judge[], verdicts: readonly AnswerVerdict[]): AnswerVerdict {
  const votes = verdicts.map(({ grade }, i) => ({ judge: judges[i]!.name, grade }))
  const given = verdicts.filter((verdict) => verdict.grade !== 'error')
  if (2 * given.length < judges.length || given.length === 0) {
    const why = verdicts.find(({ grade }) => grade === 'error')!.reason
    return { grade: 'error', reason: `Only ${given.length} of ${judges.length} judges gave a grade. ${why}`, votes }
  }
  const { winner, tied } = majority(
    given.map(({ grade }) => grade),
    ['wrong', 'right'] as const,
  )
  const agreeing = given.filter(({ grade }) => grade === winner)
  return {
    grade: winner,
    uncertain: tied || agreeing.every(({ uncertain }) => uncertain),
    reason: `${agreeing.length} of ${given.length} judges: ${agreeing[0]!.reason}`,
    ...(2 * agreeing.filter(({ stale }) => stale).length > agreeing.length && { stale: true }),
    ...meanCredit(given),
    votes,
  }
}

/** Every share as the mean over the judges that gave it. */
function meanCredit(given: readonly { credit?: Record<string, number> }[]): { credit?: Record<string, number> } {
  const names = [...new Set(given.flatMap(({ credit = {} }) => Object.keys(credit)))]
  if (names.length === 0) return {}
  const mean = (name: string) => {
    const shares = given.flatMap(({ credit }) => credit?.[name] ?? [])
    return shares.reduce((sum, share) => sum + share, 0) / shares.length
  }
  return { credit: Object.fromEntries(names.map((name) => [name, mean(name)])) }
}

/**
 * Criterion by criterion: what most of those say that said yes or no. Unclear and failed votes are no votes. A tie is no verdict, and
 * neither is the word of less than half of the judges: a panel whose judges fail must not become one judge unnoticed.
 */
function decideCriteria(
  judges: readonly Judge[],
  criteria: readonly Criterion[],
  verdicts: readonly AnswerVerdict[],
): AnswerVerdict {
  const decided = criteria.map(({ id }, i): CriterionVerdict => {
    const said = verdicts.map(({ criteria: own }) => own?.[i])
    const votes = said.map((one, j) => ({
      judge: judges[j]!.name,
      answer: one?.unclear ? ('unclear' as const) : (one?.answer ?? null),
    }))
    const [yes, no] = (['yes', 'no'] as const).map((answer) => said.filter((one) => one?.answer === answer))
    const given = yes!.length + no!.length
    if (yes!.length === no!.length || 2 * given < judges.length) {
      const split = given > 0 && yes!.length === no!.length
      const reason = split
        ? `${yes!.length} say yes, and as many no.`
        : `Only ${given} of ${judges.length} judges said yes or no.`
      return { id, answer: null, uncertain: true, reason, votes }
    }
    const most = yes!.length > no!.length ? yes! : no!
    const { answer, reason } = most[0]!
    const uncertain = most.every((one) => one!.uncertain)
    return { id, answer, uncertain, reason: `${most.length} of ${given} judges: ${reason}`, votes }
  })
  const failed = verdicts.find(({ grade }) => grade === 'error')
  const votes = verdicts.map(({ grade }, i) => ({ judge: judges[i]!.name, grade }))
  return { ...gradeOfCriteria(criteria, decided, failed?.reason), votes }
}

/** The label with most votes; of those with equally many the middle one in `order`, or the earlier of the two in the middle. */
function majority<L extends string>(votes: readonly L[], order: readonly L[]): { winner: L; tied: boolean } {
  const counts = order.map((label) => votes.filter((vote) => vote === label).length)
  const most = Math.max(...counts)
  const leading = order.filter((_, i) => counts[i] === most)
  return { winner: leading[Math.floor((leading.length - 1) / 2)]!, tied: leading.length > 1 }
}

async function verdictsOf(
  judge: Judge,
  facts: readonly Fact[],
  store: readonly Memory[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, FactVerdict>> {
  const index = (verdicts: readonly FactVerdict[]) => new Map(verdicts.map((verdict) => [verdict.fact, verdict]))
  try {
    return index(await judge.judgeFacts(facts, store, signal))
  } catch (error) {
    if (error instanceof UnjudgedError) return index(error.verdicts)
    throw error
  }
}

/** Answers by whichever way a judge offers. */
function answersOf(judge: Judge, items: readonly AnswerCase[], signal?: AbortSignal): Promise<AnswerVerdict[]> {
  if (judge.judgeAnswers) return judge.judgeAnswers(items, signal)
  return Promise.all(items.map(({ question, answer }) => judge.judgeAnswer(question, answer, signal)))
}
