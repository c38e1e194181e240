// Makes the viewer's app one classic script, so that it also runs from a file. Part of `npm run build`. What it may weigh is tested.
import { rolldown } from 'rolldown'

const bundle = await rolldown({
  input: 'src/view/app/main.ts',
  platform: 'browser',
  external: /^node:/,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  // Of our own modules only what is called comes along: those that reach for Node are never.
  treeshake: { moduleSideEffects: (id) => id.includes('node_modules') },
})
await bundle.write({ file: 'dist/view/app.js', format: 'iife', minify: true })
await bundle.close()
