#!/usr/bin/env node
import { commandLine } from './command-line.js'
import { endWith } from './ending.js'

await endWith(() => commandLine(process.argv.slice(2)))
