import { html } from 'htm/preact'
import { render } from 'preact'
import { App } from './app.js'

const root = document.getElementById('app')!
root.textContent = ''
render(html`<${App} />`, root)
