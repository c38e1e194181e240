import { openEndpoint } from '../../gateway/loopback/endpoint.js'
import { runSystemConformance } from '../conformance.js'
import { mem0 } from './index.js'
runSystemConformance({ name: 'mem0', definition: mem0, endpoint: openEndpoint })
