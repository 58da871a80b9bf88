import type { FastifyInstance } from 'fastify'
import type { BookingDeps } from '../deps.ts'

export function addPages(_app: FastifyInstance, _deps: BookingDeps): void {}
