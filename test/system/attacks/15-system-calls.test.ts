// A tool without a network reaches a service through a Unix socket, and stops process 1 of its own sandbox,
// which stalls the server that waits for it.
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

let place: SignedProject
let server: Server
let reached = 0
beforeEach(async () => {
  place = await makeSignedProject()
  reached = 0
  server = createServer(socket => {
    reached += 1
    socket.end()
  })
  await new Promise<void>(resolve => server.listen(join(place.project, 'service.sock'), resolve))
})
afterEach(() => {
  server.close()
  place.remove()
})

const ATTACK = `
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)

def attempt(work):
    try:
        work()
        return "done"
    except OSError as error:
        return "refused"

def connect(kind):
    with socket.socket(socket.AF_UNIX, kind) as client:
        client.connect("service.sock")

def reconnect():
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.connect("service.sock")

def must(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")

def stop_the_first_process():
    must(libc.ptrace(16, 1, 0, 0))

def read_another():
    child = os.fork()
    if child == 0:
        os.pause() if hasattr(os, "pause") else __import__("signal").pause()
    try:
        buffer = ctypes.create_string_buffer(8)
        class Part(ctypes.Structure):
            _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
        ours, theirs = Part(ctypes.addressof(buffer), 8), Part(ctypes.addressof(buffer), 8)
        must(libc.process_vm_readv(child, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0))
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)

def execute(params, project_path):
    os.chdir(project_path)
    return {
        "stream": attempt(lambda: connect(socket.SOCK_STREAM)),
        "reconnected pair": attempt(reconnect),
        "ptrace": attempt(stop_the_first_process),
        "memory of another": attempt(read_another),
        "namespace": attempt(lambda: must(libc.unshare(0x10000000))),
        "pipe": attempt(lambda: [end.close() for end in socket.socketpair()]),
    }
`

it('a tool without a network has no sockets of files, and no power over other processes', async () => {
  place.write('.ai/tools/attack.py', `${pythonHead()}CONFIG = {"permissions": {"network": False}}\n${ATTACK}`)
  await place.sign('attack')
  const answer = await place.execute('attack')
  expect(answer).toMatchObject({ status: 'success', isolation: 'bubblewrap' })
  expect(answer.data).toEqual({
    stream: 'refused',
    'reconnected pair': 'refused',
    ptrace: 'refused',
    'memory of another': 'refused',
    namespace: 'refused',
    pipe: 'done',
  })
  expect(reached).toBe(0)
})
