// Starts a deployable as npm start does, reports when it runs, and waits to be killed.
import { spawn } from 'node:child_process'

const child = spawn(process.execPath, [process.argv[2]!, 'well-behaved'], {
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
})
child.stdout?.on('data', (line: Buffer) => line.includes('"started"') && process.stdout.write('started'))
