"""Fetch a page of the public web as text.

The address is checked before it is dialled and the checked address is the one that is dialled, for every redirect
anew: https only, no private, local or reserved address, no credentials in the URL. In a sandbox its proxy looks up
names and checks their addresses; no other proxy is used.
"""

import html
import http.client
import ipaddress
import os
import re
import socket
import ssl
import time
import zlib
from typing import Any, Dict, Iterator, List, Optional, Tuple
from urllib.parse import urljoin, urlsplit

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/web"
__tool_description__ = "Fetch a web page or file by URL over https and answer with its text; HTML becomes readable text"

tags = ["web", "http", "https", "url", "fetch", "download", "page", "internet", "website", "html"]

CONFIG = {"timeout": 90, "permissions": {"network": ["*:*"]}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "url": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "Address, beginning with https://"},
        "format": {
            "type": "string",
            "enum": ["text", "raw"],
            "default": "text",
            "description": "`text`: readable text of HTML, links kept; `raw`: the body as it was sent",
        },
        "offset": {"type": "integer", "minimum": 0, "default": 0, "description": "Characters of the text to pass over"},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 200000,
            "default": 50000,
            "description": "Most characters to answer; `next_offset` says where to go on",
        },
        "timeout": {"type": "number", "exclusiveMinimum": 0, "maximum": 60, "default": 30, "description": "Seconds"},
    },
    "required": ["url"],
    "additionalProperties": False,
}

MOST_BYTES = 2_000_000
MOST_REDIRECTS = 5
REDIRECTS = {301, 302, 303, 307, 308}


class Refused(Exception):
    """What the caller can fix, in one sentence."""


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with `text`, `title`, `status` and the address that answered after redirects."""
    deadline = time.monotonic() + params.get("timeout", 30)
    try:
        url, response, body, complete = fetch(params["url"], deadline)
    except (Refused, ValueError) as fault:
        return {"success": False, "error": str(fault)}
    except (OSError, http.client.HTTPException, zlib.error) as fault:
        reason = str(fault) or type(fault).__name__
        return {"success": False, "error": f"`{params['url'][:200]}` could not be fetched: {reason}"}
    kind = response.headers.get_content_type()
    answer: Dict[str, Any] = {"url": url, "status": response.status, "content_type": kind}
    if b"\0" in body[:8192] and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return {**answer, "success": False, "error": f"expected text, got binary content of type {kind}"}
    text = decode(body, response.headers.get_content_charset())
    if kind in ("text/html", "application/xhtml+xml") and params.get("format", "text") == "text":
        title, text = read_html(text, url)
        answer["title"] = title
    offset = params.get("offset", 0)
    end = offset + params.get("limit", 50000)
    answer.update({"text": text[offset:end], "length": len(text)})
    if end < len(text):
        answer["next_offset"] = end
    if not complete:
        answer["warning"] = f"only the first {MOST_BYTES} bytes were read"
    if not 200 <= response.status < 400:
        return {**answer, "success": False, "error": f"{urlsplit(url).hostname} answered {response.status}"}
    return {"success": True, **answer}


def fetch(url: str, deadline: float) -> Tuple[str, http.client.HTTPResponse, bytes, bool]:
    """Follows redirects, each checked like the first address."""
    for _ in range(MOST_REDIRECTS + 1):
        connection = dial(url, deadline)
        try:
            parts = urlsplit(url)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", target, headers=HEADERS)
            response = connection.getresponse()
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or location is None:
                body, complete = read_body(response, deadline)
                return url, response, body, complete
            url = urljoin(url, location)
        finally:
            connection.close()
    raise Refused(f"more than {MOST_REDIRECTS} redirects, the last to `{url[:200]}`")


HEADERS = {
    "Accept": "text/html, text/plain, application/json, */*;q=0.5",
    "Accept-Encoding": "gzip, identity;q=0.5",
    "User-Agent": "rye-web-fetch/1.0",
}


def read_body(response: http.client.HTTPResponse, deadline: float) -> Tuple[bytes, bool]:
    """The beginning of the body, unpacked, and whether it is all; bounded in bytes and time."""
    packed = (response.headers.get("Content-Encoding") or "identity").strip().lower()
    if packed not in ("identity", "gzip", "x-gzip", "deflate"):
        raise Refused(f"the answer is packed as `{packed}`, which was not asked for")
    unpacker = None if packed == "identity" else zlib.decompressobj(zlib.MAX_WBITS | 32)
    body = b""
    while len(body) <= MOST_BYTES:
        remaining(deadline)
        chunk = response.read1(65536)
        if not chunk:
            return body, True
        body += chunk if unpacker is None else unpacker.decompress(chunk, MOST_BYTES + 1 - len(body))
    return body[:MOST_BYTES], False


def decode(body: bytes, charset: Optional[str]) -> str:
    """Text in the charset that was declared, if there is such a one; else UTF-8."""
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def read_html(text: str, url: str) -> Tuple[str, str]:
    """The title and the readable text of a page."""
    page = Page(url)
    for kind, value, source in each_token(text):
        if kind == "text":
            page.add_text(html.unescape(value))
        elif kind == "open":
            page.open(value, source)
        else:
            page.close(value)
    return " ".join("".join(page.title).split()), page.text()


def each_token(text: str) -> Iterator[Tuple[str, str, str]]:
    """Texts and tags in order, in one pass: over a hostile page the parser of the standard library takes hours."""
    at = 0
    while at < len(text):
        start = text.find("<", at)
        if start == -1:
            start = len(text)
        if start > at:
            yield "text", text[at:start], ""
        if text.startswith("<!--", start):
            at = end_of(text, "-->", start + 4)
            continue
        tag = TAG.match(text, start)
        if tag is None:
            yield "text", text[start : start + 1], ""
            at = start + 1
            continue
        end = end_of(text, ">", tag.end())
        name = tag.group(2).lower()
        yield "close" if tag.group(1) == "/" else "open", name, text[tag.end() : end - 1]
        at = end
        if name in RAW and tag.group(1) == "":
            at = end_of_raw(text, name, end)


TAG = re.compile(r"<([/!?]?)([A-Za-z][A-Za-z0-9-]{0,40})")
LINK = re.compile(r"""\bhref\s{0,20}=\s{0,20}(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\s"'>]{1,4000}))""", re.IGNORECASE)
RAW = {"script", "style"}


def end_of(text: str, mark: str, start: int) -> int:
    """The place after the mark; the end of the text when it does not come."""
    found = text.find(mark, start)
    return len(text) if found == -1 else found + len(mark)


def end_of_raw(text: str, name: str, start: int) -> int:
    """The place of the end tag of a script or style; case does not matter."""
    for found in re.compile(f"</{name}", re.IGNORECASE).finditer(text, start):
        return found.start()
    return len(text)


class Page:
    """Collects text: blocks on lines of their own, headings and lists marked, links with their targets."""

    SILENT = {"script", "style", "noscript", "template", "svg", "head", "iframe", "object"}
    BLOCKS = set(
        "p div section article header footer main nav aside ul ol table tr blockquote form figure figcaption"
        " dl dt dd hr br address details summary pre h1 h2 h3 h4 h5 h6".split()
    )
    MARKS = {"li": "\n- ", **{f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)}}

    def __init__(self, url: str) -> None:
        self.url = url
        self.title: List[str] = []
        self.pieces: List[str] = ["\n"]
        self.links: List[str] = []
        self.silent = ""
        self.in_title = False
        self.preformatted = 0

    def open(self, tag: str, source: str) -> None:
        if tag == "title":
            self.in_title = True
        elif tag == "body":
            self.silent = ""
        elif tag in self.SILENT:
            self.silent = self.silent or ("" if source.endswith("/") else tag)
        elif tag == "a":
            found = LINK.search(source[:8000])
            target = html.unescape(next(filter(None, found.groups()), "")) if found else ""
            self.links.append("" if target.startswith(("#", "javascript:")) else target)
        elif tag in ("td", "th"):
            self.add("" if self.pieces[-1].endswith("\n") else " | ")
        else:
            self.preformatted += tag == "pre"
            self.add(self.MARKS.get(tag, "\n" if tag in self.BLOCKS else ""))

    def close(self, tag: str) -> None:
        if tag == "title":
            self.in_title = False
        elif tag == self.silent:
            self.silent = ""
        elif tag == "a" and self.links:
            target = self.links.pop()
            self.add(f" ({join_url(self.url, target)})" if target else "")
        elif tag in self.BLOCKS:
            self.preformatted = max(0, self.preformatted - (tag == "pre"))
            self.add("\n")

    def add_text(self, data: str) -> None:
        if self.in_title:
            self.title.append(data)
        elif self.preformatted:
            self.add(data)
        else:
            before = " " if data[:1].isspace() and not self.pieces[-1].endswith((" ", "\n")) else ""
            after = " " if data[-1:].isspace() and data.strip() else ""
            self.add(before + " ".join(data.split()) + after)

    def add(self, piece: str) -> None:
        if piece and not self.silent:
            self.pieces.append(piece)

    def text(self) -> str:
        lines = [line.rstrip() for line in "".join(self.pieces).split("\n")]
        kept = [line for line, before in zip(lines, ["", *lines]) if (line and line != "-") or before]
        return "\n".join(kept).strip()


def join_url(base: str, target: str) -> str:
    """The whole address of a link, or the link as it stands when it is none."""
    try:
        return urljoin(base, target)
    except ValueError:
        return target


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
