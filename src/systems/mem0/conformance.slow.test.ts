import { it } from 'vitest'
import { missingPackages } from '../../base/packages.js'
import { openEndpoint } from '../../gateway/loopback/endpoint.js'
import { runSystemConformance } from '../conformance.js'
import { mem0 } from './index.js'

const missing = missingPackages(mem0.needs?.packages, process.cwd())

if (missing.length === 0) runSystemConformance({ name: 'mem0', definition: mem0, endpoint: openEndpoint })
else it.skip(`mem0 as a memory system (skipped: ${missing.join(', ')} not installed)`)
