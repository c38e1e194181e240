import { spawnSync } from 'node:child_process'

/*
 * Places that cannot be written, made for one command: each is a command that runs the one behind it. None needs root where the system lets
 * a user have mounts of their own.
 */

/** Runs a command with a file system of its own mounted on a folder. */
function mounted(folder: string, how: string): string[] {
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', `${how} && exec "$@"`, folder]
}

/** Whether this machine lets its users mount. */
export function canMount(): boolean {
  return spawnSync('unshare', mounted('/tmp', 'true').slice(1).concat('true')).status === 0
}

/** A folder on a disk of so many kilobytes. */
export function smallDisk(folder: string, kilobytes: number): string[] {
  return mounted(folder, `mount -t tmpfs -o size=${kilobytes}k tmpfs "$0"`)
}

/** A folder that can be read, and not written. */
export function readOnly(folder: string): string[] {
  return mounted(folder, 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"')
}

/** No file can grow beyond so many kilobytes, as with a quota. Works everywhere. */
export function shortFiles(kilobytes: number): string[] {
  return ['bash', '-c', `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$@"`, 'bash']
}

/** Standard output or standard error goes to a device that is always full. */
export function fullDevice(stream: 1 | 2): string[] {
  return ['sh', '-c', `exec "$@" ${stream}> /dev/full`, 'sh']
}
