import { cohen } from '../../base/intervals.js'
import type { AnswerVerdict, PairAgreement, PanelAgreement, VotePattern } from '../../model/index.js'

/** What one judge said of one thing; null where its reply could not be used. */
export interface Vote<L extends string = string> {
  judge: string
  label: L | null
}

/**
 * How the judges of a panel agree with each other over stored verdicts: Cohen's kappa of every pair, and which combinations of labels
 * occurred. `unclear` and a reply that could not be used are told in patterns, and are no votes. Pure.
 *
 * @example agreementOf(verdicts.flatMap(({ votes }) => (votes ? [votes] : [])))
 */
export function agreementOf(ballots: readonly (readonly Vote[])[]): PanelAgreement {
  const judges = [...new Set(ballots.flatMap((votes) => votes.map(({ judge }) => judge)))].sort()
  const rows = ballots.map((votes) => judges.map((judge) => votes.find((vote) => vote.judge === judge)?.label ?? null))
  const counts = new Map<string, VotePattern>()
  for (const labels of rows) {
    const pattern = counts.get(JSON.stringify(labels)) ?? { labels, n: 0 }
    pattern.n++
    counts.set(JSON.stringify(labels), pattern)
  }
  const pairs = judges.flatMap((first, i) =>
    judges.slice(i + 1).map((second, j): PairAgreement => {
      const both = rows.flatMap((labels): [string, string][] => {
        const [a, b] = [labels[i], labels[i + 1 + j]]
        return isVote(a) && isVote(b) ? [[a, b]] : []
      })
      return { judges: [first, second], n: both.length, ...cohen(both) }
    }),
  )
  return {
    judges,
    n: rows.length,
    unanimous: rows.filter((labels) => labels.every((label) => isVote(label) && label === labels[0])).length,
    pairs,
    patterns: [...counts.values()].sort((a, b) => b.n - a.n || (String(a.labels) < String(b.labels) ? -1 : 1)),
  }
}

function isVote(label: string | null | undefined): label is string {
  return label != null && label !== UNCLEAR
}

/** What a judge says that looked and could not tell. */
const UNCLEAR = 'unclear'

/** What the judges of a panel said of an answer, as ballots: criterion by criterion where it has criteria, else the grades. */
export function ballotsOf(verdict: AnswerVerdict): Vote[][] {
  if (verdict.criteria) {
    return verdict.criteria.flatMap(({ votes }) =>
      votes ? [votes.map(({ judge, answer }) => ({ judge, label: answer }))] : [],
    )
  }
  const votes = verdict.votes?.map(({ judge, grade }) => ({ judge, label: grade === 'error' ? null : grade }))
  return votes ? [votes] : []
}

/**
 * How many judges said what, whoever they were.
 *
 * @example votePattern(['yes', 'no', 'yes']) // 'no 1, yes 2'
 */
export function votePattern(said: readonly (string | null)[]): string {
  const labels = said.map((label) => label ?? 'nothing usable')
  const names = [...new Set(labels)].sort()
  return names.map((name) => `${name} ${labels.filter((label) => label === name).length}`).join(', ')
}
