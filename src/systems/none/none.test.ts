import { runSystemConformance } from '../conformance.js'
import { none } from './index.js'

runSystemConformance({ name: 'none', definition: none })
