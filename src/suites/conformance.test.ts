import { suites } from '../builtins.js'
import { runSuiteConformance } from './conformance.js'

for (const suite of suites) runSuiteConformance({ suite })
