"""Search, look at, pull and publish bundles of items over the npm protocol.

A bundle is an npm package that carries items below `.ai/`. The carrier is not trusted: what is pulled is only written;
whether it may be used is decided by its signatures, when it is used. The token goes to the configured registry alone.
One long file, so that it can be read, copied and signed as one.
"""

import base64
import fnmatch
import hashlib
import http.client
import io
import ipaddress
import json
import os
import re
import shutil
import socket
import ssl
import sys
import tarfile
import tempfile
import time
import unicodedata
import zlib
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple
from urllib.parse import quote, unquote, urljoin, urlsplit

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye"
__tool_description__ = "Search an npm registry for bundles of items; show, pull and publish them"

tags = ["registry", "npm", "bundle", "package", "search", "pull", "install", "publish", "share", "items"]

CONFIG = {
    "timeout": 150,
    "concurrency": "exclusive",
    "permissions": {"network": ["*:*", "{resolved_config.registry}"]},
}
CONFIG_RESOLVE = {"path": "rye/registry.yaml", "mode": "deep_merge"}
ENV_CONFIG = {"secrets": ["NPM_TOKEN?"]}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "action": {
            "type": "string",
            "enum": ["search", "show", "pull", "publish"],
            "description": "search: find bundles; show: what one holds; pull: write its items into this project;"
            " publish: send items of this project",
        },
        "query": {"type": "string", "maxLength": 200, "default": "", "description": "search: words"},
        "package": {
            "type": "string",
            "maxLength": 214,
            "description": "Name of the bundle: `team-tools` or `@team/tools`",
        },
        "version": {
            "type": "string",
            "maxLength": 128,
            "description": "show, pull: an exact version or a tag, `latest` if left out; publish: the new version",
        },
        "items": {
            "type": "array",
            "items": {"type": "string", "maxLength": 300},
            "minItems": 1,
            "maxItems": 500,
            "description": "publish: TYPE:ID of signed items of this project; `*` is any text, as in `tool:team/*`",
        },
        "description": {"type": "string", "maxLength": 500, "description": "publish: one line, what it is for"},
        "keywords": {
            "type": "array",
            "items": {"type": "string", "maxLength": 64},
            "maxItems": 30,
            "default": [],
            "description": "publish: words to be found by; `rye-bundle` is added",
        },
        "tag": {
            "type": "string",
            "maxLength": 64,
            "default": "latest",
            "description": "publish: the tag that is to point to this version",
        },
        "access": {
            "type": "string",
            "enum": ["public", "restricted"],
            "default": "restricted",
            "description": "publish: who may read a package with a scope",
        },
        "overwrite": {
            "type": "boolean",
            "default": False,
            "description": "pull: replace files of the project that differ",
        },
        "dry_run": {"type": "boolean", "default": False, "description": "pull, publish: only list the files"},
        "registry": {
            "type": "string",
            "maxLength": 500,
            "description": "Address of another public registry for this call; the token is not sent there",
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20, "description": "search: at most"},
        "timeout": {"type": "number", "exclusiveMinimum": 0, "maximum": 120, "default": 60, "description": "Seconds"},
    },
    "required": ["action"],
    "additionalProperties": False,
}

DEFAULT_REGISTRY = "https://registry.npmjs.org/"
KEYWORD = "rye-bundle"
FOLDERS = {"directives": "directive", "tools": "tool", "knowledge": "knowledge", "skills": "skill"}
MOST_ANSWER = 20_000_000
MOST_PACKED = 20_000_000
MOST_UNPACKED = 100_000_000
MOST_FILE = 10_000_000
MOST_FILES = 5000
MOST_HEADER = 65536
# Text shrinks to a twentieth; what shrinks further than this was made to burst.
MOST_RATIO = 200
RATIO_FREE = 1_000_000
MOST_REDIRECTS = 5
MOST_SHOWN = 20
REDIRECTS = {301, 302, 303, 307, 308}
AFTER_PULL = (
    "written, not trusted: an item counts only if its signer is trusted here. A person checks them all with `rye verify` "
    "and decides about keys (`rye keys trust KEY.toml`)"
)


class Refused(Exception):
    """What the caller can fix, in one sentence, with evidence for the answer."""

    def __init__(self, problem: str, **evidence: Any) -> None:
        super().__init__(problem)
        self.evidence = evidence


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Does one action. What it writes or sends is named in the answer."""
    actions: Dict[str, Tuple[Callable[..., Dict[str, Any]], List[str]]] = {
        "search": (search, []),
        "show": (show, ["package"]),
        "pull": (pull, ["package"]),
        "publish": (publish, ["package", "version", "items", "description"]),
    }
    action, needed = actions[params["action"]]
    try:
        missing = [name for name in needed if name not in params]
        if missing:
            raise Refused(f"{params['action']} needs {', '.join(missing)}")
        if "package" in params and not PACKAGE.fullmatch(params["package"]):
            raise Refused(f"expected a package such as `team-tools` or `@team/tools`, got `{params['package']}`")
        registry = Registry(params)
        return {"success": True, "registry": registry.url, **action(params, registry, Project(project_path))}
    except Refused as fault:
        return {"success": False, "error": str(fault), **fault.evidence}
    except (OSError, http.client.HTTPException, ValueError) as fault:
        return {"success": False, "error": f"{params['action']} failed: {str(fault) or type(fault).__name__}"}


def search(params: Dict[str, Any], registry: "Registry", project: "Project") -> Dict[str, Any]:
    """Bundles that the registry finds. Many know neither `keywords:` nor case, so they are asked in plainer and plainer
    ways, and each result is looked at."""
    words, limit = params.get("query", "").split(), params.get("limit", 20)
    found = registry.search(" ".join([f"keywords:{KEYWORD}", *words]), limit) or registry.search(" ".join(words), 250)
    if not found and words:
        found = [bundle for bundle in registry.search("", 250) if has_all(bundle, words)]
    return {"bundles": found[:limit], "count": len(found[:limit])}


def has_all(bundle: Dict[str, Any], words: List[str]) -> bool:
    text = " ".join([bundle["package"], bundle["description"], *bundle["keywords"]]).casefold()
    return all(word.casefold() in text for word in words)


def show(params: Dict[str, Any], registry: "Registry", project: "Project") -> Dict[str, Any]:
    """The versions of a bundle, and the items of one of them, read from its verified archive."""
    package = registry.package(params["package"])
    version, manifest = choose_version(package, params.get("version", "latest"))
    files, others = read_bundle(registry.archive(manifest))
    return {
        "package": params["package"],
        "description": line_of(manifest.get("description")),
        "tags": package["dist-tags"],
        "versions": list(package["versions"])[-MOST_SHOWN:],
        "version": version,
        "integrity": manifest["dist"]["integrity"],
        "items": [{"item": seal.item, "signed_by": seal.signer} for seal in seals_of(files)],
        "files": [{"path": f".ai/{path}", "size": len(data)} for path, data in files.items()],
        "others": others[:MOST_SHOWN],
    }


def pull(params: Dict[str, Any], registry: "Registry", project: "Project") -> Dict[str, Any]:
    """Writes the items of a bundle into the project: all of them, or none."""
    version, manifest = choose_version(registry.package(params["package"]), params.get("version", "latest"))
    bundle = f"{params['package']}@{version}"
    progress = Progress(f"pulling {bundle}")
    files, others = read_bundle(registry.archive(manifest, lambda share: progress.reach(90 * share)))
    if not files:
        raise Refused(f"`{bundle}` holds no items: expected files below .ai/directives, tools, knowledge or skills")
    unsigned = [seal.path for seal in seals_of(files) if seal.signer is None]
    if unsigned:
        # In development mode an unsigned item of the project would run: nobody vouched for these.
        raise Refused(f"`{bundle}` was not pulled: {len(unsigned)} files are not signed", unsigned=shown(unsigned))
    present = {path: project.read(path) for path in files}
    unchanged = [path for path, data in files.items() if present[path] == data]
    differing = [path for path, data in files.items() if present[path] not in (None, data)]
    rivals = [f".ai/{path} (there is .ai/{rival})" for path in files for rival in project.rivals(path, files)]
    if rivals or (differing and not params.get("overwrite", False)):
        fix = "rename or remove them" if rivals else "look at them, then pull with overwrite: true"
        raise Refused(
            f"`{bundle}` was not pulled: {len(differing) + len(rivals)} files of the project stand in its way; {fix}",
            conflicts=[*shown(differing), *rivals],
            unchanged=shown(unchanged),
        )
    wanted = {path: data for path, data in files.items() if present[path] != data}
    if not params.get("dry_run", False):
        project.write_all(wanted, present, lambda share: progress.reach(90 + 9 * share))
    progress.reach(100)
    return {
        "package": params["package"],
        "version": version,
        "integrity": manifest["dist"]["integrity"],
        "items": items_of(files),
        "written": shown(list(wanted)),
        "overwritten": shown(differing),
        "unchanged": shown(unchanged),
        "left_over": shown(project.left_over(files)),
        "ignored": others[:MOST_SHOWN],
        "dry_run": params.get("dry_run", False),
        "note": AFTER_PULL,
    }


def publish(params: Dict[str, Any], registry: "Registry", project: "Project") -> Dict[str, Any]:
    """Packs signed items and sends them. Whatever is wrong with any of them is said before anything is sent."""
    name, version = params["package"], params["version"]
    if not VERSION.fullmatch(version):
        raise Refused(f"expected a version such as 1.2.0, got `{version}`")
    if not TAG.fullmatch(params.get("tag", "latest")):
        raise Refused(f"expected a tag of small letters, digits and dashes, got `{params['tag']}`")
    files = project.select(params["items"])
    problems = [f".ai/{path}: {problem}" for path, problem in problems_in(files, registry.token)]
    if problems:
        raise Refused(f"{len(problems)} files cannot be published", problems=problems[:100])
    keywords = sorted({KEYWORD, *params.get("keywords", [])})
    manifest = {"name": name, "version": version, "description": params["description"], "keywords": keywords}
    archive = pack(manifest, files)
    answer = {
        "package": name,
        "version": version,
        "items": items_of(files),
        "files": [{"path": f".ai/{path}", "size": len(data)} for path, data in files.items()],
        "size": len(archive),
        "integrity": integrity_of(archive),
        "dry_run": params.get("dry_run", False),
    }
    if not answer["dry_run"]:
        access = params.get("access", "restricted") if name.startswith("@") else "public"
        registry.publish(manifest, archive, {"tag": params.get("tag", "latest"), "access": access})
        answer["note"] = "others trust it by your key, not by the registry: a person gives them what `rye keys show` prints, another way"
    return answer


Share = Callable[[float], None]


def unsaid(share: float) -> None:
    """For what is over at once."""


class Progress:
    """How far the work is, in whole percent, each said once: rye shows such lines of standard error to the caller."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.percent = 0

    def reach(self, percent: float) -> None:
        if int(percent) > self.percent:
            self.percent = int(percent)
            line = {"progress": self.percent, "total": 100, "message": self.message}
            print(json.dumps(line), file=sys.stderr, flush=True)


def shown(paths: List[str]) -> List[str]:
    """Paths as they are seen from the project."""
    return [f".ai/{path}" for path in paths]


PACKAGE = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*")
TAG = re.compile(r"[a-z][a-z0-9-]*")
VERSION = re.compile(r"(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}(?:-[0-9A-Za-z.-]{1,64})?")


# --- the registry ---


class Registry:
    """One registry, for one call. Token and private addresses are for the configured address alone: a caller cannot
    name another place for them, and neither can a redirect or the address of an archive."""

    def __init__(self, params: Dict[str, Any]) -> None:
        settings = params.get("resolved_config") or {}
        configured = str(settings.get("registry", DEFAULT_REGISTRY)).rstrip("/") + "/"
        self.url = params.get("registry", configured).rstrip("/") + "/"
        self.is_configured = self.url == configured
        self.allow_private = self.is_configured and settings.get("allow_private") is True
        self.token = (os.environ.get("NPM_TOKEN") or None) if self.is_configured else None
        self.deadline = time.monotonic() + params.get("timeout", 60)

    def search(self, text: str, size: int) -> List[Dict[str, Any]]:
        answer = self.json(f"-/v1/search?text={quote(text)}&size={size}", f"searching for `{text}`")
        if answer is None:
            raise Refused(f"{self.url} has no search: name a package and use show")
        found = answer.get("objects") if isinstance(answer, dict) else None
        packages = [entry.get("package") for entry in found or [] if isinstance(entry, dict)]
        return [summary_of(package) for package in packages if isinstance(package, dict) and is_bundle(package)]

    def package(self, name: str) -> Dict[str, Any]:
        """All versions of a package, in the order of the registry."""
        found = self.find(name)
        if found is None:
            raise Refused(f"{urlsplit(self.url).hostname} has no package `{name}`, or none that you may see")
        return found

    def find(self, name: str) -> Optional[Dict[str, Any]]:
        answer = self.json(name.replace("/", "%2f"), f"package `{name}`")
        if answer is None:
            return None
        versions = answer.get("versions") if isinstance(answer, dict) else None
        if not isinstance(versions, dict) or not all(isinstance(entry, dict) for entry in versions.values()):
            raise Refused(f"the answer about `{name}` has no versions: is {self.url} an npm registry?")
        labels = answer.get("dist-tags")
        return {"versions": versions, "dist-tags": labels if isinstance(labels, dict) else {}}

    def archive(self, manifest: Dict[str, Any], tell: Share = unsaid) -> bytes:
        """The archive of a version; not a byte of it is looked at before its digest is right."""
        dist = manifest.get("dist") if isinstance(manifest.get("dist"), dict) else {}
        wanted = [part for part in str(dist.get("integrity", "")).split() if INTEGRITY.fullmatch(part)]
        if not wanted or not isinstance(dist.get("tarball"), str):
            raise Refused("expected an archive with a sha512 integrity, got none: publish the bundle anew")
        status, body, url = self.request("GET", urljoin(self.url, dist["tarball"]), most=MOST_PACKED, tell=tell)
        if status != 200:
            raise Refused(f"the archive could not be had: {self.explain(status, body, url)}")
        found = integrity_of(body)
        if found not in wanted:
            raise Refused(f"the archive is not what the registry announced: expected {wanted[0]}, got {found}")
        return body

    def publish(self, manifest: Dict[str, Any], archive: bytes, options: Dict[str, str]) -> None:
        name, version = manifest["name"], manifest["version"]
        if not self.is_configured:
            where = "set `registry` in .ai/config/rye/registry.yaml, then sign `config:rye/registry`"
            raise Refused(f"{self.url} is not the configured registry: {where}")
        if self.token is None:
            raise Refused("publishing needs a token: set NPM_TOKEN in the environment of rye or in the project's .env")
        known = self.find(name)
        if known is not None and version in known["versions"]:
            raise Refused(f"`{name}@{version}` is published already and cannot be replaced: choose a higher version")
        file = f"{name}-{version}.tgz"
        dist = {
            "integrity": integrity_of(archive),
            "shasum": hashlib.sha1(archive).hexdigest(),
            "tarball": f"{self.url}{name}/-/{file.rpartition('/')[2]}",
        }
        document = {
            "_id": name,
            "name": name,
            "description": manifest["description"],
            "dist-tags": {options["tag"]: version},
            "versions": {version: {**manifest, "_id": f"{name}@{version}", "dist": dist}},
            "access": options["access"],
            "_attachments": {
                file: {
                    "content_type": "application/octet-stream",
                    "data": base64.b64encode(archive).decode(),
                    "length": len(archive),
                }
            },
        }
        target = self.url + name.replace("/", "%2f")
        status, body, _ = self.request("PUT", target, accept=JSON, most=MOST_ANSWER, body=json.dumps(document).encode())
        if not 200 <= status < 300:
            raise Refused(f"`{name}@{version}` was not published: {self.explain(status, body, target)}")

    def json(self, path: str, what: str) -> Any:
        """An answer, or None when there is nothing under the path."""
        status, body, url = self.request("GET", self.url + path, accept=JSON, most=MOST_ANSWER)
        if status == 404:
            return None
        if status != 200:
            raise Refused(f"{what}: {self.explain(status, body, url)}")
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise Refused(f"{what}: expected JSON, got something else: is {self.url} an npm registry?") from None

    def explain(self, status: int, body: bytes, url: str) -> str:
        """A status in words, with what the registry said and what fixes it."""
        said = reason_in(body)
        fixes = {
            401: "set NPM_TOKEN to a token of this registry" if self.token is None else "NPM_TOKEN is not accepted",
            402: "a package with a scope is private unless access is public",
            403: "NPM_TOKEN may not do this, or the version exists" if self.token else "set NPM_TOKEN",
            404: "no such package here, or none that you may see",
            409: "somebody published at the same time: look at it with show, then try again",
            413: "the bundle is too large for this registry",
        }
        fix = fixes.get(status, "try again later" if status >= 500 else "")
        fact = f"{urlsplit(url).hostname} answered {status}" + (f" ({said})" if said else "")
        return f"{fact}; {fix}" if fix else fact

    def request(
        self,
        method: str,
        url: str,
        most: int,
        accept: str = "*/*",
        body: Optional[bytes] = None,
        tell: Share = unsaid,
    ) -> Tuple[int, bytes, str]:
        """Status, body and the address that answered. Redirects of a GET are followed, each checked anew."""
        for _ in range(MOST_REDIRECTS + 1):
            if climbs(url):
                raise Refused(f"expected an address without `.` and `..` in its path, got `{url[:200]}`")
            is_own = self.owns(url)
            connection = dial(url, self.deadline, self.allow_private and is_own)
            try:
                parts = urlsplit(url)
                headers = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": "rye-registry/1.0"}
                if self.token is not None and is_own:
                    headers["Authorization"] = f"Bearer {self.token}"
                if body is not None:
                    headers["Content-Type"] = "application/json"
                target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request(method, target, body=body, headers=headers)
                response = connection.getresponse()
                location = response.headers.get("Location")
                if response.status not in REDIRECTS or location is None:
                    return response.status, read_body(response, most, self.deadline, tell), url
                if method != "GET":
                    raise Refused(f"{parts.hostname} redirects to `{location[:200]}`: configure that if you trust it")
                url = urljoin(url, location)
            finally:
                connection.close()
        raise Refused(f"more than {MOST_REDIRECTS} redirects, the last to `{url[:200]}`")

    def owns(self, url: str) -> bool:
        """Whether an address lies below the registry's own: same scheme, host, port and path."""
        own, other = urlsplit(self.url), urlsplit(url)
        is_same = (own.scheme, own.netloc.lower()) == (other.scheme, other.netloc.lower())
        return is_same and other.path.startswith(own.path)


def climbs(url: str) -> bool:
    """Whether some server may take the path for another one: it holds dot segments, written plainly or encoded."""
    path = urlsplit(url).path
    for _ in range(MOST_ENCODED):
        if any(segment in (".", "..") for segment in re.split(r"[/\\;]", path)):
            return True
        path, before = unquote(path), path
        if path == before:
            return False
    return True


MOST_ENCODED = 5
JSON = "application/json"
INTEGRITY = re.compile(r"sha512-[A-Za-z0-9+/]{86}==")


def read_body(response: http.client.HTTPResponse, most: int, deadline: float, tell: Share) -> bytes:
    """The whole body, bounded in bytes and time; less than was announced is a fault."""
    length = response.headers.get("Content-Length", "")
    announced = int(length) if length.isdecimal() else 0
    body = bytearray()
    while True:
        remaining(deadline)
        chunk = response.read1(65536)
        body += chunk
        if len(body) > most:
            raise Refused(f"the answer exceeds {most} bytes")
        if not chunk:
            break
        if announced:
            tell(len(body) / announced)
    if len(body) < announced:
        raise Refused(f"the answer ended early: expected {announced} bytes, got {len(body)}")
    return bytes(body)


def reason_in(body: bytes) -> str:
    """What an error answer says: a field of its JSON, or its first line."""
    text = body[:2000].decode("utf-8", "replace").strip()
    try:
        found = json.loads(body) if len(body) <= 100_000 else None
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        text = str(found.get("error") or found.get("message") or found.get("reason") or "")
    return line_of("" if text.startswith("<") else text.partition("\n")[0])


def summary_of(package: Dict[str, Any]) -> Dict[str, Any]:
    labels = package.get("dist-tags")
    latest = labels.get("latest") if isinstance(labels, dict) else None
    return {
        "package": line_of(package.get("name")),
        "version": line_of(package.get("version") or latest),
        "description": line_of(package.get("description")),
        "keywords": [line_of(word) for word in package["keywords"][:MOST_SHOWN]],
    }


def is_bundle(package: Dict[str, Any]) -> bool:
    words = package.get("keywords")
    return isinstance(words, list) and KEYWORD in words


def line_of(value: Any) -> str:
    """Text of a stranger as one short line."""
    return " ".join(str(value if value is not None else "").split())[:300]


def choose_version(package: Dict[str, Any], wanted: str) -> Tuple[str, Dict[str, Any]]:
    """A tag or an exact version; ranges are not read, so that nobody is surprised by what they get."""
    labels, versions = package["dist-tags"], package["versions"]
    version = wanted if wanted in versions else labels.get(wanted)
    if not isinstance(version, str) or version not in versions:
        known = ", ".join([*labels, *reversed(list(versions)[-5:])]) or "nothing: there are no versions"
        raise Refused(f"no version or tag `{wanted}`: expected an exact version or a tag, of {known}")
    return version, versions[version]


def integrity_of(archive: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()


# --- archives ---


def read_bundle(archive: bytes) -> Tuple[Dict[str, bytes], List[str]]:
    """The items of an archive by their path below `.ai/`, and the names of all other files. A name that leads
    elsewhere, a link or two names for one file condemn the whole archive."""
    files: Dict[str, bytes] = {}
    others: List[str] = []
    names: Dict[str, str] = {}
    for count, (path, data) in enumerate(each_file(unpack(archive))):
        if count >= MOST_FILES:
            raise Refused(f"the archive holds more than {MOST_FILES} files")
        parts = path.split("/")
        if parts[:2] != ["package", ".ai"] or len(parts) < 4 or parts[2] not in FOLDERS:
            others.append(line_of(path))
            continue
        below = "/".join(parts[2:])
        problem = path_problem(below) or ("it is too large" if len(data) > MOST_FILE else None)
        if problem:
            raise Refused(f"the archive holds `{line_of(below)}`: {problem}")
        folded = fold(below)
        if folded in names:
            raise Refused(f"the archive holds two files for one name: `{names[folded]}` and `{below}`")
        names[folded] = below
        files[below] = data
    for folded, below in names.items():
        if any(folded[:at] in names for at, character in enumerate(folded) if character == "/"):
            raise Refused(f"the archive holds `{below}` below another file")
    return dict(sorted(files.items())), others


def fold(path: str) -> str:
    """What a file system that ignores case and composition makes of a path."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def path_problem(path: str) -> Optional[str]:
    """Why a path below `.ai/` cannot be one of an item, or None. Files of a skill have freer names than ids."""
    folder, *parts = path.split("/")
    grammar = SKILL_NAME if folder == "skills" else ID_NAME
    if len(path.encode("utf-8", "replace")) > 400 or any(len(part.encode("utf-8", "replace")) > 255 for part in parts):
        return "the name is too long"
    if not all(grammar.fullmatch(part) and part.isprintable() for part in parts) or parts[0].startswith("."):
        return "expected names of letters, digits, `_`, `-` and `.` that do not begin with a dot"
    if fold(parts[0]) == RESERVED:
        return f"ids that begin with `{RESERVED}/` belong to the package"
    return None


RESERVED = "rye"
ID_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
SKILL_NAME = re.compile(r"""[^\s.\\/:*?"<>|](?:[^\\/:*?"<>|]*[^\s.\\/:*?"<>|])?""")


def unpack(archive: bytes) -> bytes:
    """One gzip stream, whole, bounded in size and in how far it bursts."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    most = min(MOST_UNPACKED, max(RATIO_FREE, MOST_RATIO * len(archive)))
    try:
        unpacked = unpacker.decompress(archive, most + 1)
    except zlib.error as fault:
        raise Refused(f"the archive is not gzip: {fault}") from None
    if len(unpacked) > most:
        raise Refused(f"the archive unpacks to more than {most} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise Refused("the archive is cut off" if not unpacker.eof else "the archive goes on after its end")
    return unpacked


def each_file(archive: bytes) -> Iterator[Tuple[str, bytes]]:
    """Regular files of a tar archive. Our own reader: that of the standard library follows sparse files and negative
    sizes into huge or endless reads."""
    at, long_name = 0, None
    while at + 512 <= len(archive):
        header = archive[at : at + 512]
        if not any(header):
            return
        size, kind = number_in(header[124:136]), header[156:157]
        unsigned = sum(header[:148]) + 8 * 32 + sum(header[156:])
        body = archive[at + 512 : at + 512 + size]
        if number_in(header[148:156]) != unsigned or len(body) < size:
            raise Refused(f"the archive is damaged at byte {at}")
        at += 512 + (size + 511) // 512 * 512
        if kind == b"g":
            continue
        if kind in (b"x", b"L"):
            long_name = text_of(body) if kind == b"L" else path_in_pax(body, long_name)
            continue
        is_posix = header[257:263] == b"ustar\0"
        prefix = text_of(header[345:500]) if is_posix else ""
        path = long_name or (f"{prefix}/" if prefix else "") + text_of(header[:100])
        long_name = None
        check_entry(path, kind)
        if kind != b"5":
            yield path, body


def check_entry(path: str, kind: bytes) -> None:
    parts = (path[:-1] if kind == b"5" and path.endswith("/") else path).split("/")
    if kind not in (b"0", b"\0", b"5"):
        raise Refused(f"the archive holds `{line_of(path)}`, which is a link or a device: expected plain files")
    if "\\" in path or any(part in ("", ".", "..") for part in parts):
        raise Refused(f"the archive holds `{line_of(path)}`, which leads out of it")


def number_in(field: bytes) -> int:
    """An octal number of a header; other forms are for sizes that we would refuse."""
    text = field.strip(b" \0")
    if not re.fullmatch(rb"[0-7]{0,12}", text):
        raise Refused("the archive has a header that cannot be read")
    return int(text or b"0", 8)


def text_of(field: bytes) -> str:
    try:
        return field.partition(b"\0")[0].decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("the archive holds a name that is not UTF-8") from None


def path_in_pax(body: bytes, before: Optional[str]) -> Optional[str]:
    """`path` of an extended header: records `LENGTH KEY=VALUE LF`."""
    found = before
    if len(body) > MOST_HEADER:
        raise Refused("the archive has an extended header without measure")
    while body:
        length, blank, _ = body[:12].partition(b" ")
        record = body[: int(length)] if blank and length.isdigit() else b""
        key, equals, value = record[len(length) + 1 : -1].partition(b"=")
        if not equals or len(record) != int(length) or not record.endswith(b"\n"):
            raise Refused("the archive has an extended header that cannot be read")
        if key in (b"size", b"linkpath") or key.startswith(b"GNU.sparse"):
            raise Refused("the archive holds a link, or a file with holes: expected plain files")
        if key == b"path":
            found = text_of(value)
        body = body[len(record) :]
    return found


def pack(manifest: Dict[str, Any], files: Dict[str, bytes]) -> bytes:
    """The archive of a bundle: the same bytes for the same files, whoever packs them, whenever."""
    described = json.dumps({**manifest, "files": [".ai/"]}, indent=2, ensure_ascii=False).encode() + b"\n"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in [("package.json", described), *((f".ai/{path}", data) for path, data in files.items())]:
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size, entry.mtime, entry.mode = len(data), ARCHIVE_TIME, 0o644
            archive.addfile(entry, io.BytesIO(data))
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    packed = packer.compress(plain.getvalue()) + packer.flush()
    if len(packed) > MOST_PACKED or len(plain.getvalue()) > MOST_UNPACKED:
        raise Refused(f"the bundle is larger than {MOST_PACKED} bytes: publish fewer items")
    return packed


# The time that npm gives every file.
ARCHIVE_TIME = 499162500


# --- items ---


def items_of(files: Dict[str, bytes]) -> List[str]:
    """TYPE:ID of each item among the files."""
    found: Set[str] = set()
    for path in files:
        folder, _, below = path.partition("/")
        if folder != "skills":
            found.add(f"{FOLDERS[folder]}:{id_of(below)}")
        elif below.endswith("/SKILL.md"):
            found.add(f"skill:{below[: -len('/SKILL.md')]}")
    return sorted(found)


def id_of(below: str) -> str:
    """A path without its extension; a sidecar belongs to the item that it signs."""
    name = below[:-4] if below.endswith(".sig") else below
    stem, dot, extension = name.rpartition(".")
    return stem if dot and "/" not in extension and not stem.endswith("/") and stem else name


def split_signature(name: str, data: bytes) -> Tuple[Optional["re.Match[bytes]"], bytes]:
    """The signature line, in the place and the comment where it belongs (elsewhere it is none), and all other bytes."""
    lines = data.split(b"\n", 2)
    place = 1 if lines[0].startswith(b"#!") and len(lines) > 1 else 0
    before, after = MARKS.get(os.path.splitext(name)[1], (b"# ", b""))
    line = lines.pop(place).rstrip(b"\r")
    is_marked = line.startswith(before) and line.endswith(after)
    found = SIGNATURE.fullmatch(line[len(before) : len(line) - len(after)]) if is_marked else None
    return found, b"\n".join(lines)


MARKS = {".md": (b"<!-- ", b" -->"), **{suffix: (b"// ", b"") for suffix in (".ts", ".mts", ".js", ".mjs", ".cjs")}}
SIGNATURE = re.compile(
    rb"rye:signed:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ:([0-9a-f]{64}):[A-Za-z0-9_-]{86}(?:==)?:([0-9a-f]{16})"
    rb"(?:\|[A-Za-z0-9_-]{1,64}@[A-Za-z0-9_-]{1,64})?"
)


class Seal(NamedTuple):
    """What the signature of an item says of itself: nothing is trusted for it."""

    item: str
    path: str
    signer: Optional[str]
    is_intact: bool


def seals_of(files: Dict[str, bytes]) -> List[Seal]:
    """The seal of each item; a file that belongs to no item has none."""
    skills = [item[len("skill:") :] for item in items_of(files) if item.startswith("skill:")]
    seals = [seal(f"skill:{skill}", f"skills/{skill}/SKILL.md", *skill_parts(skill, files)) for skill in skills]
    for path, data in files.items():
        folder, _, below = path.partition("/")
        if folder == "skills":
            if not any(below.startswith(f"{skill}/") for skill in skills):
                seals.append(Seal(f"skill:{below}", path, None, False))
        elif path.endswith(".json"):
            item = f"{FOLDERS[folder]}:{id_of(below)}"
            seals.append(seal(item, path, files.get(f"{path}.sig", b""), data))
        elif not path.endswith(".json.sig") or path[:-4] not in files:
            seals.append(seal(f"{FOLDERS[folder]}:{id_of(below)}", path, data))
    return sorted(seals)


def seal(item: str, path: str, signed: bytes, beside: Optional[bytes] = None) -> Seal:
    """Reads the line in `signed` and compares its digest with the bytes that it covers, around it or beside it."""
    found, around = split_signature(path if beside is None else ".sig", signed)
    if found is None:
        return Seal(item, path, None, False)
    covered = (around if beside is None else beside).replace(b"\r\n", b"\n")
    return Seal(item, path, found.group(2).decode(), hashlib.sha256(covered).hexdigest() == found.group(1).decode())


def skill_parts(skill: str, files: Dict[str, bytes]) -> Tuple[bytes, bytes]:
    """`SKILL.sig`, and the list of files that its line covers, as it should be."""
    folder = f"skills/{skill}/"
    below = {path[len(folder) :]: data for path, data in files.items() if path.startswith(folder)}
    signed = below.pop("SKILL.sig", b"")
    paths = sorted(below, key=lambda path: path.encode())
    return signed, "".join(f"{hashlib.sha256(below[path]).hexdigest()}  {path}\n" for path in paths).encode()


def problems_in(files: Dict[str, bytes], token: Optional[str]) -> Iterator[Tuple[str, str]]:
    """What keeps files from being published."""
    for path, data in files.items():
        problem = path_problem(path)
        if problem:
            yield path, problem
        if SECRET.search(data) or (token is not None and token.encode() in data):
            yield path, "it holds what looks like a key or a token"
    for found in seals_of(files):
        if found.signer is None:
            yield found.path, "it is not signed: read it, then sign it"
        elif not found.is_intact:
            yield found.path, "it was changed after it was signed, or signed in an old way: read it, then sign it"


SECRET = re.compile(
    rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----|\bnpm_[A-Za-z0-9]{36}|\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{60}"
    rb"|\bAKIA[0-9A-Z]{16}\b|\bsk-[A-Za-z0-9_-]{32}|\bxox[baprs]-[0-9A-Za-z-]{20}|\bglpat-[A-Za-z0-9_-]{20}"
)


class Project:
    """The items of a project. Paths are made of checked names; a link on the way is refused."""

    def __init__(self, project_path: str) -> None:
        self.root = os.path.join(os.path.realpath(project_path), ".ai")

    def place(self, path: str) -> str:
        place = os.path.join(self.root, *path.split("/"))
        folder = os.path.dirname(place)
        if os.path.realpath(folder) != folder or os.path.islink(place):
            raise Refused(f"`.ai/{path}` is a link, or lies behind one")
        return place

    def read(self, path: str) -> Optional[bytes]:
        """The file as it is, or None where there is none."""
        place = self.place(path)
        if not os.path.lexists(place):
            return None
        if not os.path.isfile(place):
            raise Refused(f"`.ai/{path}` is not a file")
        with open(place, "rb") as stream:
            data = stream.read(MOST_FILE + 1)
        if len(data) > MOST_FILE:
            raise Refused(f"`.ai/{path}` is larger than {MOST_FILE} bytes")
        return data

    def rivals(self, path: str, files: Dict[str, bytes]) -> List[str]:
        """Files of the project with the same id and another extension: one of the two would silently win."""
        folder, _, below = path.partition("/")
        if folder == "skills" or path.endswith(".sig"):
            return []
        beside = os.path.dirname(self.place(path))
        names = sorted(os.listdir(beside)) if os.path.isdir(beside) else []
        paths = [f"{path.rpartition('/')[0]}/{name}" for name in names if not name.endswith(".sig")]
        return [other for other in paths if other not in files and id_of(other.partition("/")[2]) == id_of(below)]

    def left_over(self, files: Dict[str, bytes]) -> List[str]:
        """Files of a skill folder that the bundle lacks: with them, the skill is not the one that was signed."""
        folders = [f"skills/{item[len('skill:'):]}" for item in items_of(files) if item.startswith("skill:")]
        return [path for folder in folders for path in self.walk(folder) if path not in files]

    def walk(self, folder: str) -> List[str]:
        """Files below a folder of `.ai`, links left out."""
        found: List[str] = []
        for at, folders, names in os.walk(os.path.join(self.root, *folder.split("/"))):
            folders.sort()
            below = os.path.relpath(at, self.root).replace(os.sep, "/")
            found += [f"{below}/{name}" for name in sorted(names) if not os.path.islink(os.path.join(at, name))]
            if len(found) > 100_000:
                raise Refused(f"`.ai/{folder}` holds too many files")
        return found

    def select(self, refs: List[str]) -> Dict[str, bytes]:
        """The files of the items that are named, each name being one that names something."""
        listed = {folder: self.walk(folder) for folder in FOLDERS}
        chosen: Set[str] = set()
        for ref in refs:
            kind, colon, pattern = ref.partition(":")
            folder = next((name for name, known in FOLDERS.items() if known == kind), None)
            if folder is None or not colon:
                raise Refused(f"expected TYPE:ID with one of {', '.join(FOLDERS.values())}, got `{ref}`")
            skills = [item[len("skill:") :] for item in items_of({path: b"" for path in listed[folder]})]
            found = [path for path in listed[folder] if matches(path.partition("/")[2], pattern, folder, skills)]
            if not found:
                raise Refused(f"no {kind} `{pattern}` in this project's .ai/{folder}")
            chosen.update(found)
        if len(chosen) > MOST_FILES:
            raise Refused(f"expected at most {MOST_FILES} files, got {len(chosen)}")
        return {path: self.read(path) or b"" for path in sorted(chosen)}

    def write_all(self, files: Dict[str, bytes], before: Dict[str, Optional[bytes]], tell: Share) -> None:
        """All or nothing: everything is on disk under other names first, and a fault while it is moved is undone."""
        os.makedirs(self.root, exist_ok=True)
        staging = tempfile.mkdtemp(prefix=".pull-", dir=self.root)
        moved: List[str] = []
        made: List[str] = []
        try:
            for number, data in enumerate(files.values()):
                write_file(os.path.join(staging, str(number)), data)
                tell((number + 1) / len(files))
            for number, path in enumerate(files):
                place = self.place(path)
                made += make_folders(os.path.dirname(place))
                moved.append(path)
                os.replace(os.path.join(staging, str(number)), place)
        except BaseException:
            for number, path in enumerate(reversed(moved)):
                self.put_back(path, before[path], os.path.join(staging, f"{number}.before"))
            for folder in reversed(made):
                os.rmdir(folder)
            raise
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def put_back(self, path: str, data: Optional[bytes], temporary: str) -> None:
        place = self.place(path)
        if data is not None:
            write_file(temporary, data)
            os.replace(temporary, place)
        elif os.path.lexists(place):
            os.unlink(place)


def matches(below: str, pattern: str, folder: str, skills: List[str]) -> bool:
    """Whether a file belongs to an item that the pattern names."""
    if folder == "skills":
        return any(below.startswith(f"{skill}/") and fnmatch.fnmatchcase(skill, pattern) for skill in skills)
    return fnmatch.fnmatchcase(id_of(below), pattern)


def write_file(place: str, data: bytes) -> None:
    with open(place, "xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def make_folders(folder: str) -> List[str]:
    """Makes what is missing of a path, and says what that was."""
    missing: List[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        os.mkdir(path)
    return missing[::-1]


# --- addresses: the same lines in `rye/web/fetch`, `rye/mcp/_client` and `rye/registry` ---
# What is not the public internet; in IPv6, only what begins with 2000::/3 can be.
PRIVATE_NETWORKS = [
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24"
        " 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
        " 2001::/23 2001:db8::/32 2002::/16 3fff::/20"
    ).split()
]
PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")


def dial(url: str, deadline: float, allow_private: bool = False) -> http.client.HTTPConnection:
    """A connection to an address that was checked. The name is looked up once, so that it cannot change its mind; in a
    sandbox the proxy does that, and reaches no private address that no signed item names."""
    if not url.isascii() or any(character <= " " or character == "\x7f" for character in url):
        raise Refused("expected a URL of plain characters: percent-encode blanks and others")
    parts = urlsplit(url)
    host = parts.hostname
    if not host or parts.scheme not in (("https", "http") if allow_private else ("https",)):
        raise Refused(f"expected a URL that begins with https://, got `{url[:200]}`")
    if parts.username is not None or parts.password is not None:
        raise Refused("a URL must not carry a user or a password")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    proxy = os.environ.get("RYE_PROXY", "")
    addresses = addresses_of(host, port, is_proxied=proxy != "")
    private = [] if allow_private else [address for address in addresses if not is_public(address)]
    if private:
        raise Refused(f"`{host}` is at the private address {', '.join(private)}: only the public internet is reached")
    if proxy:
        plain = tunnel(proxy, host, port, deadline)
    else:
        plain = socket.create_connection((addresses[0], port), timeout=remaining(deadline))
    if parts.scheme == "http":
        connection = http.client.HTTPConnection(host, port)
        connection.sock = plain
        return connection
    secure = http.client.HTTPSConnection(host, port)
    secure.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    return secure


def addresses_of(host: str, port: int, is_proxied: bool) -> List[str]:
    """Where a host is. Behind a proxy there is no name server, so only an address and this machine are known."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        if is_proxied:
            return []
        raise
    return [entry[4][0] for entry in found]


def tunnel(proxy: str, host: str, port: int, deadline: float) -> socket.socket:
    """A connection through the proxy of the sandbox; what it refuses, it explains."""
    at, _, number = proxy.rpartition(":")
    connection = http.client.HTTPConnection(at, int(number), timeout=remaining(deadline))
    connection.set_tunnel(f"[{host}]" if ":" in host else host, port)
    try:
        connection.connect()
    except OSError as fault:
        reason = re.sub(r"^Tunnel connection failed: \d+ ", "", str(fault))
        raise Refused(reason) from None
    return connection.sock


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet."""
    if "%" in address:
        return False
    parsed = ipaddress.ip_address(address)
    if any(parsed in network for network in PRIVATE_NETWORKS if network.version == parsed.version):
        return False
    return parsed.version == 4 or parsed in PUBLIC_IPV6


def remaining(deadline: float) -> float:
    """Seconds that are left."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise Refused("no whole answer within the time")
    return left
# --- end ---
