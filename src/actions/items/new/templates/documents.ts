// Templates of a directive, a knowledge entry and a skill, each in its format and ready to be filled in.
import type { TemplateFacts } from './facts.ts'

export function directiveTemplate({ name, category, description }: TemplateFacts): string {
  return `# ${title(name)}

${description}.

\`\`\`xml
<directive name="${name}" version="1.0.0">
  <metadata>
    <description>${escapeXml(description)}</description>
    <category>${category}</category>
    <author>you</author>
    <model tier="general" />
    <limits turns="10" />
    <permissions>
      <execute><tool>rye.file-system.*</tool></execute>
    </permissions>
  </metadata>
  <inputs>
    <input name="goal" type="string" required="true">What is to be done</input>
    <input name="tone" type="string" default="plain">How to write about it</input>
  </inputs>
  <outputs>
    <output name="summary">What was done</output>
  </outputs>
</directive>
\`\`\`

<process>
  <step name="look">
    Search the library for what helps with: {input:goal}
  </step>
  <step name="do">
    Do it, and write a summary. Tone: {input:tone}
  </step>
</process>
`
}

export function knowledgeTemplate({ name, category, description }: TemplateFacts): string {
  return `\`\`\`yaml
name: ${JSON.stringify(name)}
title: ${JSON.stringify(title(name))}
description: ${JSON.stringify(description)}
entry_type: reference
category: ${JSON.stringify(category)}
version: "1.0.0"
author: you
tags:
  - new
\`\`\`

# ${title(name)}

${description}.

Write here what somebody needs to know in order to do the work. The whole text is searched.
`
}

export function skillTemplate({ name, description }: TemplateFacts): string {
  return `---
name: ${name}
description: ${JSON.stringify(`${description}. Use it when the task asks for this.`)}
license: MIT
---

# ${title(name)}

Say step by step what to do. Scripts go into \`scripts/\`, longer texts into \`references/\`.
`
}

function title(name: string): string {
  const words = name.replaceAll(/[_.-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
