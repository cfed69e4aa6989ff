// biome-ignore-all lint/suspicious/noTemplateCurlyInString: units of other languages
// Short texts repeated up to the largest size that a reader takes; nearly all inputs that make a reader
// quadratic are of this kind. A frame around the units leads the reader to them; `#n` in a unit counts.

export interface RepeatedInput {
  readonly title: string
  readonly parser: string
  readonly extension: string
  readonly text: string
  /** The same, an eighth as long. */
  shorter(): string
}

interface Language {
  readonly parser: string
  readonly extension: string
  /** In UTF-16 units, as the readers count. */
  readonly size: number
  readonly frames: readonly (readonly [before: string, after: string])[]
  /** Separated by blanks; `_` is a space, `$` a line feed. */
  readonly units: string
}

/** Marks that mean something to some format, alone and in small company. */
const MARKS =
  'a _ \t $ \r$ " \' \\ # #$ - -_ [ { ( < & * ! % | > ? ?_ : :_ , = . / ` ~ [] {} () "" \'\' \\" \\n /* // -- 😀 \u0301 \u2028 \ufeff a_ a$ _$ __a$ 1 0 9. 1e a. a: a= a, ", ], },'

const LANGUAGES: readonly Language[] = [
  {
    parser: 'yaml/yaml',
    extension: '.yaml',
    size: 256_000,
    frames: [
      ['', ''],
      ['a: [', ']$'],
      ['a: {', '}$'],
      ['a: "', '"$'],
      ["a: '", ''],
      ['a: b', '$'],
      ['a: |$  ', '$'],
      ['a: >9$         ', '$'],
      ['a: !', ' 1$'],
      ['a: &a {b: 1}$c: [', ']$'],
      ['a:$  ', '$'],
      ['a: !!omap [', ']$'],
      ['a: !!set {', '}$'],
    ],
    units:
      'a:_1$ k#n:_1$ k#n:_1, k#n, ?_a$ ?_?_ ?_k#n$ -_-_-_-$ -_a$ -$ -\t [[ {a:_ {?_ [?_ [a:_b,_ !!str_ !!str_a$ -_!!str_a$ !<a>_ !a!b_ &a_ -_&a$ -_&a#n_a$ *a_ *a, -_*a$ *a_:_1$ "a$ "\\$ "\\x41 \'a$ \'\'_ |$ |+$ -_|$ -_|$__a$ -_>$__a$$ >-$_a$$ __a$_b$ #_a$ _#_a$ %TAG_!a#n!_tag:a,2000:$ %YAML_1.1$ ---$ ---_a$ ...$ <<:_*a$ <<:_{a:_1}$ -_<<:_{k#n:_1}$ <<:_{k#n:_1}$ 0x 1_ :59 2026-01-01_ .i a:$ a:$_ _a:$ a:_|$ :_1$ ?_a$:_b$ -_!!set_{a}$ -_!!omap_[a:_1]$ !!binary_aGk=$',
  },
  {
    parser: 'markdown/xml',
    extension: '.md',
    size: 256_000,
    frames: [
      ['```xml$<directive name="a">', '</directive>$```$'],
      ['```xml$<directive name="a" b="', '"/>$```$'],
      ['```xml$<directive ', '/>$```$'],
      ['```xml$<directive name="a"><metadata><permissions>', '</permissions></metadata></directive>$```$'],
      ['```xml$<directive name="a"><inputs>', '</inputs></directive>$```$'],
      ['```xml$<directive name="a"><metadata><hooks>', '</hooks></metadata></directive>$```$'],
      ['```xml$<directive name="a"><!--', '--></directive>$```$'],
      ['```xml$<directive name="a"/>$```$', ''],
      ['   ```xml$   <directive name="a">', '$'],
    ],
    units:
      '<a> <a/> <a></a> </a> <a#n/> <a_ <a_b="1"_ b#n="1"_ b="1"_ b= b=" <a_b=" " <!-- --> <!--> <![CDATA[ ]]> <![CDATA[a]]> <? ?> <?a?> & &amp; &#65; &#x &a; ]] < > <input> <input_name="a"/> <input_name="a#n"_type="x"/> <hook> <hook><when>a</when></hook> <tool>*</tool> <execute/> <step> <step_name="a"> <process><step> <execute_item_type="tool"_item_id="a"/> <param_name="a">x</param> <when> </step> ```$ ~~~$ ```xml$ </ </a_ <\ud83d\ude00>',
  },
  {
    parser: 'markdown/xml',
    extension: '.md',
    size: 1_000_000,
    frames: [
      ['', ''],
      ['# Title$$', ''],
      ['```xml$<directive name="a"/>$```$', ''],
      ['```$', ''],
    ],
    units:
      '```$ ```xml$ ~~~$ ```xml$<a/>$```$ ```xml$<directive/>$ <!-- <!--$ --> <pre> <pre>$ </pre>$ <script>$ <?$ <![CDATA[$ >_ >_```$ ____a$ <process><step> <execute> <execute_a="b"/> <param_name="x"> <step_name="a"> </step> <_ ---$',
  },
  {
    parser: 'markdown/frontmatter',
    extension: '.md',
    size: 8_000_000,
    frames: [
      ['', ''],
      ['---$a: 1$---$', ''],
      ['```yaml$a: 1$```$', ''],
      ['# T$$text$', ''],
    ],
    units: '---$ ...$ ```$ ```yaml$ ```yaml$a:_1$```$ ~~~$ <!--$ <pre>$ >_ ____a$ #_a$ name:_a$ _```$',
  },
  {
    parser: 'json/json',
    extension: '.json',
    size: 1_000_000,
    frames: [
      ['', ''],
      ['{"a": [', '1]}'],
      ['{', '"a": 1}'],
      ['{"a": "', '"}'],
    ],
    units:
      '"a":1, "k#n":1, 1, [], {}, [1], {"a":1}, "a", "\\u0041", \\u \\u0041 \\" 1e9, -1, 99999999999999999999, true, null, nul [[ {"a": ,',
  },
  {
    parser: 'toml/toml',
    extension: '.toml',
    size: 256_000,
    frames: [
      ['', ''],
      ['a = [', ']$'],
      ['a = {', '}$'],
      ['a = "', '"$'],
      ['a = """', '"""$'],
      ['a = ', '$'],
      ['', ' = 1$'],
      ['[', ']$'],
    ],
    units:
      'a=1$ k#n=1$ k#n.a=1$ a.k#n=1$ [a]$ [k#n]$ [a.k#n]$ [[a]]$ [[a]]$b=1$ [a#n.b]$ a. a.b. "a". \'a\'. a_ 1, [], {}, k#n=1, {a=1}, "a", \'a\', """ \'\'\' \\u0041 \\" \\$ 1_ 0x 1979-05-27 1.5, #a$ _#$ true, a={b=1}$ k#n={b=1}$ k#n=[1]$',
  },
  {
    parser: 'python/ast',
    extension: '.py',
    size: 1_000_000,
    frames: [
      ['', ''],
      ['CONFIG = [', ']$'],
      ['CONFIG = {', '}$'],
      ['CONFIG = "', '"$'],
      ['CONFIG = """', '"""$'],
      ['CONFIG = f"', '"$'],
      ['CONFIG = ', '$'],
      ['def execute(', '): pass$'],
      ['def f():$    ', '$'],
      ['class A:$  x = 1$', ''],
      ['# ', '$'],
    ],
    units:
      'a=1$ a=1; k#n=1$ a$ 1, "a", "a":1, "k#n":1, [1], [ ] (1), ((1)), {} "a"_ "a"+ \'\'\' """ """a""" f"{a}" f"{ {a} {{ } \\N{DASH} \\x41 \\$ \\ 1_ 0x 1e9, 9 - not_ ~ a. a() a[0] lambda: lambda_x: a_if_b_else_ *a, **a, a,b= a=b= if_a:$ if_a:$_ if_a:_b$ else:$ elif_a:$ try:$_a$except:$_b$ with_a: for_a_in_b: def_f():_pass$ def_f():$_pass$ async_def_f():_pass$ class_A:_pass$ @a$ @a$def_f():_pass$ import_a$ from_a_import_b$ _a$ __a$_a$ \ta$ #a$ return_a$ await_ yield_ :=_ a:_int_=1$ a:_ ; match_a:$_case_b:_c$ print_a$ $_$ \f$ a=$ 1+ a<b< a_and_ a_or_ global_a$ x= )= ]= ( b"a", r"\\", u"a"_',
  },
  {
    parser: 'javascript/javascript',
    extension: '.ts',
    size: 1_000_000,
    frames: [
      ['', ''],
      ['export const CONFIG = [', ']$'],
      ['export const CONFIG = {', '}$'],
      ['export const CONFIG = "', '"$'],
      ['export const CONFIG = `', '`$'],
      ['export const CONFIG = ', '$'],
      ['export function execute(', ') {}$'],
      ['type T = ', '$'],
      ['x = f', '$'],
      ['/*', '*/$'],
      ['// ', '$'],
    ],
    units:
      'a=1; let_a#n=1; export_const_a#n=1; var_a=1; const_a=1; export_{a}; exports.a=1; 1, "a", a:1, k#n:1, "k#n":1, [1], [ ] (1), ((1)), {}, {} { } "a"+ `a`+ ${ ${a} ${`a`} `a` \\u{41} \\x41 \\ 1_ 0x 1e9, - ! ~ a. a?. a() a[0] f()() ()() ``a`` [0] [] ()=> a=> a=>{ async_a=> (a)=> (a, <a> <a>( a<b<c> a<b, a< a?b: a? a_as_ a_satisfies_b_ /a/ /a/g, /[ /( function_f(){} class_A{} class_A{x=1; if(a) if(a){}else_ for(;;) while(a) do_ switch(a){case_1: try{}catch{} new_ await_ yield_ typeof_ import_"a"; import("a") @a_ @a()_ enum_A{} A|B| A&B& A[] [A, {a:A; (a:A)=> keyof_ infer_ A_extends_B?C: <!--$ -->$ #!$ // /* */ ; ,, ... ...a, **2 ?? || && <=> a:for(;;) label: interface_A{} type_A=B; namespace_A{ declare_ abstract_ =',
  },
  {
    parser: 'shell/comments',
    extension: '.sh',
    size: 1_000_000,
    frames: [
      ['', ''],
      ['# CONFIG = [$', ''],
      ['# CONFIG = {', '}$'],
      ['# CONFIG = "', '"$'],
      ['#!/bin/sh$', ''],
    ],
    units:
      '#$ #_a$ #_CONFIG_=_[$ #_CONFIG_=_1$ #_CONFIG_=_"$ #_A= #_1,$ #_"k#n":1,$ 1, "a":1, $ echo_a$ #_=$ #_CONFIG_=$ #_None$',
  },
]

/** Every unit in every frame, and the marks: thousands of texts, of which every `step`th is given. */
export function* repeatedInputs(step = 1): Generator<RepeatedInput> {
  let count = 0
  for (const { parser, extension, size, frames, units } of LANGUAGES) {
    for (const [before, after] of frames.map(frame => frame.map(spell) as [string, string])) {
      for (const unit of new Set(`${units} ${MARKS}`.split(' '))) {
        if (count++ % step > 0) continue
        const textOf = (length: number) =>
          before + repeat(spell(unit), length - before.length - after.length) + after
        const title = `${JSON.stringify(before)} ${unit}`
        yield { title, parser, extension, text: textOf(size), shorter: () => textOf(size / 8) }
      }
    }
  }
}

function spell(text: string): string {
  return text.replaceAll('_', ' ').replaceAll('$', '\n')
}

function repeat(unit: string, room: number): string {
  if (!unit.includes('#n')) return unit.repeat(Math.floor(room / unit.length))
  const parts: string[] = []
  for (let length = 0, count = 0; ; count++) {
    const part = unit.replaceAll('#n', String(count))
    length += part.length
    if (length > room) return parts.join('')
    parts.push(part)
  }
}
