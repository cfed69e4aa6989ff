// A build plugin that turns a chunk's exports into plain values. The bundler gives each export a getter,
// which runs at every use; in a loop over thousands of documents that took most of the time.

const GETTER =
  /Object\.defineProperty\(exports, ["'](\w+)["'], \{\s+enumerable: true,\s+get: function\s*\(\)\s*\{\s+return ([\w$]+);\s+\}\s+\}\);/g

export function plainExports() {
  return {
    name: 'plain-exports',
    renderChunk(code) {
      return code.replace(GETTER, (getter, exported, name) =>
        isSettled(name, code) ? `exports.${exported} = ${name};` : getter,
      )
    },
  }
}

/** Whether the name is never reassigned once its chunk has run. */
function isSettled(name, code) {
  return new RegExp(`^(?:(?:async )?function\\*?|class|const) ${name.replaceAll('$', '\\$')}\\b`, 'm').test(
    code,
  )
}
