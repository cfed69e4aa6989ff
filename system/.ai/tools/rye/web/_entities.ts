// The characters that HTML writes as `&name;` or `&#number;`.

const FIRST = 0xa0
/** From U+00A0 to U+00FF. These may lack the semicolon. */
const LATIN = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ')
/** A code in hexadecimal, and the names from there on. */
const OTHERS =
  '9:Tab,NewLine 21:excl 23:num,dollar,percnt 27:apos,lpar,rpar,ast,plus,comma 2e:period,sol 3a:colon,semi 3d:equals 3f:quest,commat ' +
  '5b:lbrack,bsol,rbrack 5f:lowbar,grave 7b:lbrace,vert,rbrace ' +
  '152:OElig,oelig 160:Scaron,scaron 178:Yuml 192:fnof 2c6:circ 2dc:tilde ' +
  '391:Alpha,Beta,Gamma,Delta,Epsilon,Zeta,Eta,Theta,Iota,Kappa,Lambda,Mu,Nu,Xi,Omicron,Pi,Rho ' +
  '3a3:Sigma,Tau,Upsilon,Phi,Chi,Psi,Omega 3b1:alpha,beta,gamma,delta,epsilon,zeta,eta,theta,iota,kappa,lambda,mu,nu,xi,' +
  'omicron,pi,rho,sigmaf,sigma,tau,upsilon,phi,chi,psi,omega 3d1:thetasym,upsih 3d6:piv 2002:ensp,emsp 2009:thinsp ' +
  '200c:zwnj,zwj,lrm,rlm 2010:hyphen 2013:ndash,mdash 2018:lsquo,rsquo,sbquo 201c:ldquo,rdquo,bdquo 2020:dagger,Dagger,bull ' +
  '2026:hellip 2030:permil 2032:prime,Prime 2039:lsaquo,rsaquo 203e:oline 2044:frasl 20ac:euro 2111:image 2118:weierp ' +
  '211c:real 2122:trade 2135:alefsym 2190:larr,uarr,rarr,darr,harr 21b5:crarr 21d0:lArr,uArr,rArr,dArr,hArr 2200:forall ' +
  '2202:part,exist 2205:empty 2207:nabla,isin,notin 220b:ni 220f:prod 2211:sum,minus 2217:lowast 221a:radic 221d:prop,infin ' +
  '2220:ang 2227:and,or,cap,cup,int 2234:there4 223c:sim 2245:cong 2248:asymp 2260:ne,equiv 2264:le,ge 2282:sub,sup,nsub ' +
  '2286:sube,supe 2295:oplus 2297:otimes 22a5:perp 22c5:sdot 2308:lceil,rceil,lfloor,rfloor 25ca:loz 2605:starf,star ' +
  '2660:spades 2663:clubs 2665:hearts,diams 2713:check 27e8:lang,rang'
/** What the numbers from 128 on mean, which are control characters. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const LOOSE = new Map([
  ...(['amp &', 'lt <', 'gt >', 'quot "'] as const).map(pair => pair.split(' ') as [string, string]),
  ...LATIN.map((name, at) => [name, String.fromCodePoint(FIRST + at)] as const),
])
const STRICT = new Map([...LOOSE, ...readOthers()])

function* readOthers(): Generator<[string, string]> {
  for (const run of OTHERS.split(' ')) {
    const [code, names] = run.split(':')
    for (const [at, name] of names!.split(',').entries())
      yield [name, String.fromCodePoint(Number.parseInt(code!, 16) + at)]
  }
}

/** The text with its characters; what means none stays as it stands. */
export function readEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,7})|([A-Za-z][A-Za-z\d]{1,31}));?/g,
    (found: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name === undefined) return characterOf(Number.parseInt(decimal ?? hexadecimal!, decimal ? 10 : 16))
      return (found.endsWith(';') ? STRICT.get(name) : undefined) ?? readLoosely(found)
    },
  )
}

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return WINDOWS[code - 0x80]!
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)
  return isNone ? '\ufffd' : String.fromCodePoint(code)
}

/** `&copy2026`: the longest name that may lack its semicolon. */
function readLoosely(found: string): string {
  for (let end = Math.min(found.length, 8); end > 2; end--) {
    const character = LOOSE.get(found.slice(1, end))
    if (character !== undefined) return character + found.slice(end)
  }
  return found
}
