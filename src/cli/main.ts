#!/usr/bin/env node
import { commandLine } from './command-line.js'
import { runAndExit } from './ending.js'

await runAndExit(() => commandLine(process.argv.slice(2)))
