exports.__version__ = '1.0.0'
module.exports.__category__ = 'demo'
module["exports"].CONFIG = { timeout: 60 }
exports.execute = function (params) { return params }
