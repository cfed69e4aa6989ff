const version = '1.0.0', category = 'demo'
let CONFIG = { a: 1 }
function run() {}
const helper = 1
export { version as __version__, category as '__category__', CONFIG, run as execute }
