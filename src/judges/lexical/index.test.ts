import { runJudgeConformance } from '../conformance.js'
import { createLexicalJudge } from './index.js'

runJudgeConformance({ name: 'lexical', newJudge: () => createLexicalJudge() })
