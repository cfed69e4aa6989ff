// A tool reads the files in which programs keep credentials and settings. A sandbox shows nothing of a home
// but what the run needs, so there is no list of secrets that could miss a new program.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

const FILES = [
  ...[
    '.ssh/id_rsa',
    '.ssh/id_ed25519',
    '.ssh/config',
    '.ssh/known_hosts',
    '.gnupg/private-keys-v1.d/key.key',
  ],
  ...[
    '.aws/credentials',
    '.aws/config',
    '.aws/sso/cache/token.json',
    '.azure/msal_token_cache.json',
    '.oci/config',
  ],
  ...['.config/gcloud/credentials.db', '.config/gcloud/application_default_credentials.json', '.kube/config'],
  ...[
    '.docker/config.json',
    '.config/containers/auth.json',
    '.config/helm/repositories.yaml',
    '.minikube/ca.key',
  ],
  ...[
    '.netrc',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.config/pip/pip.conf',
    '.pip/pip.conf',
    '.condarc',
  ],
  ...[
    '.cargo/credentials.toml',
    '.cargo/config.toml',
    '.gem/credentials',
    '.bundle/config',
    '.m2/settings.xml',
  ],
  ...[
    '.gradle/gradle.properties',
    '.ivy2/.credentials',
    '.sbt/1.0/credentials.sbt',
    '.nuget/NuGet/NuGet.Config',
  ],
  ...[
    '.composer/auth.json',
    '.config/composer/auth.json',
    '.hex/hex.config',
    '.pgpass',
    '.my.cnf',
    '.mongorc.js',
  ],
  ...['.config/gh/hosts.yml', '.config/glab-cli/config.yml', '.config/hub', '.git-credentials', '.gitconfig'],
  ...[
    '.config/git/credentials',
    '.terraform.d/credentials.tfrc.json',
    '.terraformrc',
    '.vault-token',
    '.pulumi/credentials.json',
  ],
  ...[
    '.fly/config.yml',
    '.railway/config.json',
    '.vercel/auth.json',
    '.config/netlify/config.json',
    '.heroku/credentials',
  ],
  ...[
    '.config/doctl/config.yaml',
    '.config/rclone/rclone.conf',
    '.s3cfg',
    '.boto',
    '.databrickscfg',
    '.kaggle/kaggle.json',
  ],
  ...[
    '.huggingface/token',
    '.cache/huggingface/token',
    '.config/openai/key',
    '.anthropic/key',
    '.claude.json',
  ],
  ...[
    '.claude/.credentials.json',
    '.codex/auth.json',
    '.gemini/oauth_creds.json',
    '.config/github-copilot/hosts.json',
  ],
  ...[
    '.mozilla/firefox/x/logins.json',
    '.config/google-chrome/Default/Login Data',
    '.local/share/keyrings/login.keyring',
  ],
  ...[
    '.password-store/bank.gpg',
    '.config/op/config',
    '.bash_history',
    '.zsh_history',
    '.python_history',
    '.psql_history',
  ],
  ...[
    '.env',
    'notes/passwords.txt',
    'Documents/taxes.txt',
    '.thunderbird/x/key4.db',
    '.local/share/fish/fish_history',
  ],
  ...['.ai/config/keys/signing/other.pem', '.ai/config/rye.toml.old'],
]

let place: SignedProject
beforeEach(async () => {
  place = await makeSignedProject()
  for (const name of FILES) {
    mkdirSync(dirname(join(place.user, name)), { recursive: true })
    writeFileSync(join(place.user, name), 'TOP SECRET')
  }
})
afterEach(() => place.remove())

const READ = `${pythonHead()}
import os
def execute(params, project_path):
    seen = []
    for path in params["paths"]:
        try:
            with open(path) as file:
                if "SECRET" in file.read():
                    seen.append(path)
        except OSError:
            pass
    return {"seen": seen, "home": sorted(os.listdir(os.environ["HOME"]))}
`

it('of a home with many credentials a tool reads none', async () => {
  place.write('.ai/tools/read.py', READ)
  place.write('own.txt', 'SECRET of the project')
  symlinkSync(place.user, join(place.project, 'home'))
  await place.sign('read')
  const own = join(place.project, 'own.txt')
  const paths = [
    own,
    ...FILES.map(name => join(place.user, name)),
    ...FILES.map(name => join(place.project, 'home', name)),
    ...FILES.map(name => join('/proc/self/root', place.user, name)),
  ]
  const answer = await place.execute('read', { paths })
  expect(answer).toMatchObject({ status: 'success', isolation: 'bubblewrap' })
  expect(answer.data).toEqual({ seen: [own], home: ['.ai'] })
})

it('the user may name what tools read and write', async () => {
  place.write('.ai/tools/read.py', READ)
  await place.sign('read')
  const settings = '[isolation]\nreadable = ["~/notes", "~/no-such-folder"]\nwritable = ["~/Documents"]\n'
  writeFileSync(join(place.user, '.ai/config/rye.toml'), settings)
  const answer = await place.execute('read', { paths: FILES.map(name => join(place.user, name)) })
  expect(answer.data).toEqual({
    seen: ['notes/passwords.txt', 'Documents/taxes.txt'].map(name => join(place.user, name)),
    home: ['.ai', 'Documents', 'notes'],
  })
})
