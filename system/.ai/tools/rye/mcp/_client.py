"""A small MCP client: asks a server which tools it has.

Speaks the protocol itself (initialize, tools/list) over standard input and output or streamable HTTP, so that
nothing needs to be installed.
"""

import argparse
import http.client
import ipaddress
import json
import os
import queue
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple
from urllib.parse import urlsplit

PROTOCOL = "2025-06-18"
MOST_TOOLS = 2000
MOST_PAGES = 200
MOST_BYTES = 10_000_000
MOST_JUNK_LINES = 1000


class Refused(Exception):
    """What the caller can fix, in one sentence."""


def signed_config(item_id: str, found: Any) -> Dict[str, Any]:
    """The connection that a signed server item describes; `found` is what was resolved for its id."""
    if found is None:
        raise Refused(f"no server item `{item_id}`: add it with rye/mcp/manager")
    if found["tool_type"] != "mcp_server":
        raise Refused(f"expected `{item_id}` to have tool_type `mcp_server`, got `{found['tool_type']}`")
    return found["config"]


def read_config(params: Dict[str, Any]) -> Dict[str, Any]:
    """The connection that a caller describes, as a server item holds it."""
    if ("url" in params) == ("command" in params):
        raise Refused("expected either url or command")
    if "url" in params:
        return {"transport": "http", "url": params["url"], "headers": params.get("headers", {})}
    arguments, variables = params.get("args", []), params.get("env", {})
    return {"transport": "stdio", "command": params["command"], "args": arguments, "env": variables}


def discover(config: Dict[str, Any], project_path: str, timeout: float) -> Dict[str, Any]:
    """Connects, lists, disconnects. Raises `Refused` for whatever the server does instead of answering."""
    deadline = time.monotonic() + timeout
    transport = "stdio" if config.get("transport") == "stdio" else "http"
    connection = Stdio(config, project_path, deadline) if transport == "stdio" else Http(config, deadline)
    try:
        hello = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "rye", "version": "1"}}
        welcome = connection.request("initialize", hello)
        connection.start(str(welcome.get("protocolVersion", PROTOCOL)))
        tools = list(each_tool(connection.request))
    except (OSError, http.client.HTTPException, ValueError) as fault:
        reason = str(fault) or type(fault).__name__
        raise Refused(f"the server could not be asked: {reason}{connection.evidence()}") from None
    finally:
        connection.close()
    return {"transport": transport, "server": welcome.get("serverInfo"), "tools": tools, "count": len(tools)}


def each_tool(request: Callable[[str, Dict[str, Any]], Dict[str, Any]]) -> Iterator[Dict[str, Any]]:
    """Tools of all pages, each with the three fields that an item needs."""
    cursor: Optional[str] = None
    count = 0
    for _ in range(MOST_PAGES):
        page = request("tools/list", {} if cursor is None else {"cursor": cursor})
        tools = page.get("tools")
        for tool in tools if isinstance(tools, list) else []:
            if not isinstance(tool, dict) or not isinstance(tool.get("name"), str) or not tool["name"]:
                raise Refused("the server listed a tool without a name")
            count += 1
            if count > MOST_TOOLS:
                raise Refused(f"the server has more than {MOST_TOOLS} tools")
            schema = tool.get("inputSchema")
            description = tool.get("description") or tool.get("title") or tool["name"]
            yield {
                "name": tool["name"],
                "description": str(description),
                "input_schema": schema if isinstance(schema, dict) else {"type": "object"},
            }
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str) or not cursor:
            return
    raise Refused(f"the list of tools has more than {MOST_PAGES} pages")


def expand(value: Any) -> str:
    """`${NAME}` and `${NAME:-default}` from the variables that this tool was given."""

    def find(match: "re.Match[str]") -> str:
        found = os.environ.get(match.group(1)) or match.group(2)
        if found is None:
            raise MissingVariable(match.group(1))
        return found

    return VARIABLE.sub(find, str(value))


VARIABLE = re.compile(r"\$\{([A-Za-z_]\w{0,127})(?::-([^{}]{0,1024}))?\}")


class MissingVariable(Refused):
    def __init__(self, name: str) -> None:
        where = "sign a server item that declares it as a secret"
        super().__init__(f"`{name}` is not set for this tool: {where}")
        self.name = name


def expand_all(values: Any) -> Dict[str, str]:
    return {name: expand(value) for name, value in (values or {}).items()}


def answer_to(message: Any, number: int) -> Optional[Dict[str, Any]]:
    """The result in a message that answers request `number`, or None for any other message."""
    if not isinstance(message, dict) or message.get("id") != number or "method" in message:
        return None
    if "error" in message:
        error = message["error"] if isinstance(message["error"], dict) else {}
        raise Refused(f"the server answered with an error: {str(error.get('message', 'without a message'))[:500]}")
    result = message.get("result")
    return result if isinstance(result, dict) else {}


NO_CAUSE = re.compile(r"at .*[:(]|Node\.js v\d|[{}^~ ]*$")
"""Lines after the cause: frames of a stack, and what Node.js ends with."""


class Stdio:
    """A server as a child process: one JSON message per line."""

    def __init__(self, config: Dict[str, Any], project_path: str, deadline: float) -> None:
        self.deadline = deadline
        self.number = self.junk = 0
        self.lines: "queue.Queue[bytes]" = queue.Queue(1000)
        self.faults = b""
        command = [expand(config["command"]), *(expand(argument) for argument in config.get("args") or [])]
        environment = {**os.environ, **expand_all(config.get("env"))}
        folder = expand(config["cwd"]).replace("{project_path}", project_path) if config.get("cwd") else project_path
        try:
            self.child = subprocess.Popen(
                [argument.replace("{project_path}", project_path) for argument in command],
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as fault:
            raise Refused(f"`{command[0]}` could not be started: {fault}") from None
        self.threads = [threading.Thread(target=read, daemon=True) for read in (self.read_lines, self.read_faults)]
        for thread in self.threads:
            thread.start()

    def read_lines(self) -> None:
        total = 0
        while total <= MOST_BYTES:
            line = self.child.stdout.readline(MOST_BYTES)
            total += len(line)
            self.lines.put(line)
            if not line:
                return
        self.lines.put(b"")

    def read_faults(self) -> None:
        for chunk in iter(lambda: os.read(self.child.stderr.fileno(), 65536), b""):
            self.faults = (self.faults + chunk)[-2000:]

    def request(self, method: str, params: Dict[str, Any]) -> Dict[str, Any]:
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            try:
                line = self.lines.get(timeout=remaining(self.deadline))
            except queue.Empty:
                continue
            if not line:
                raise OSError("it ended, or wrote too much")
            try:
                message = json.loads(line)
            except ValueError:
                self.junk += 1
                if self.junk > MOST_JUNK_LINES:
                    raise OSError("it writes lines that are no messages") from None
                continue
            result = answer_to(message, self.number)
            if result is not None:
                return result
            if isinstance(message, dict) and "method" in message and "id" in message:
                self.refuse(message)

    def refuse(self, message: Dict[str, Any]) -> None:
        """We offer nothing to the server but an answer to its ping."""
        error = {"error": {"code": -32601, "message": "not offered"}}
        self.send({"jsonrpc": "2.0", "id": message["id"], **({"result": {}} if message["method"] == "ping" else error)})

    def start(self, version: str) -> None:
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: Dict[str, Any]) -> None:
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def evidence(self) -> str:
        self.threads[1].join(0.5)
        lines = [line.strip() for line in self.faults.decode("utf-8", "replace").splitlines()]
        said = " / ".join([line for line in lines if line and not NO_CAUSE.match(line)][-4:])[-500:]
        return f"; it wrote: {said}" if said else ""

    def close(self) -> None:
        try:
            self.child.stdin.close()
        except OSError:
            pass
        try:
            self.child.wait(0.5)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.child.wait()
        while any(thread.is_alive() for thread in self.threads):
            try:
                self.lines.get(timeout=0.05)
            except queue.Empty:
                pass


class Http:
    """A server behind an address: one POST per message, the answer as JSON or as an event stream."""

    def __init__(self, config: Dict[str, Any], deadline: float) -> None:
        self.url = expand(config.get("url", ""))
        self.allow_private = config.get("allow_private") is True
        self.deadline = deadline
        self.number = 0
        self.headers = {
            **expand_all(config.get("headers")),
            **authorization(config.get("auth")),
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "User-Agent": "rye-mcp/1.0",
        }

    def request(self, method: str, params: Dict[str, Any]) -> Dict[str, Any]:
        self.number += 1
        response, connection = self.post({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        try:
            for message in each_message(response, self.deadline):
                result = answer_to(message, self.number)
                if result is not None:
                    return result
        finally:
            connection.close()
        raise OSError(f"`{method}` was not answered")

    def start(self, version: str) -> None:
        self.headers["MCP-Protocol-Version"] = version
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})[1].close()

    def post(self, message: Dict[str, Any]) -> Tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
        connection = dial(self.url, self.deadline, self.allow_private)
        parts = urlsplit(self.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=json.dumps(message).encode(), headers=self.headers)
        response = connection.getresponse()
        if response.headers.get("Mcp-Session-Id"):
            self.headers["Mcp-Session-Id"] = response.headers["Mcp-Session-Id"]
        if 300 <= response.status < 400:
            target = response.headers.get("Location", "")[:200]
            raise Refused(f"{parts.hostname} redirects to `{target}`: use that address if you trust it")
        if not 200 <= response.status < 300:
            said = response.read1(300).decode("utf-8", "replace")
            raise Refused(f"{parts.hostname} answered {response.status}: {said}")
        return response, connection

    def evidence(self) -> str:
        return ""

    def close(self) -> None:
        """Every connection was closed with its answer."""


def authorization(auth: Any) -> Dict[str, str]:
    """`auth` of a server item as a header."""
    if not isinstance(auth, dict):
        return {}
    is_bearer = auth.get("type") == "bearer"
    secret = expand(f"${{{auth['secret']}}}" if auth.get("secret") else auth.get("token" if is_bearer else "key", ""))
    return {"Authorization": f"Bearer {secret}"} if is_bearer else {auth.get("header", "X-API-Key"): secret}


def each_message(response: http.client.HTTPResponse, deadline: float) -> Iterator[Any]:
    """Messages of a JSON body or of an event stream, bounded in bytes and time."""
    is_stream = response.headers.get_content_type() == "text/event-stream"
    data: List[bytes] = []
    total = 0
    while True:
        remaining(deadline)
        line = response.readline(MOST_BYTES)
        total += len(line)
        if total > MOST_BYTES:
            raise OSError(f"the answer exceeds {MOST_BYTES} bytes")
        if is_stream and line.startswith(b"data:"):
            data.append(line[5:])
        elif not is_stream:
            data.append(line)
        if not line or (is_stream and not line.strip()):
            if b"".join(data).strip():
                yield json.loads(b"".join(data))
            data = []
        if not line:
            return


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


def main(run: Callable[[Dict[str, Any], str], Dict[str, Any]]) -> None:
    """A tool as a program: parameters as `--params`, or on standard input when they are long."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--params")
    parser.add_argument("--project-path", required=True)
    given = parser.parse_args()
    params = json.loads(given.params if given.params is not None else sys.stdin.read())
    print(json.dumps(run(params, given.project_path)))
