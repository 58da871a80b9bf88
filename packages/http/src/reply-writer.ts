import { z } from 'zod'
import { UndeclaredAnswer } from './undeclared-answer.ts'

/** Receives each written object with its schema. */
type OnObject = (schema: z.ZodObject, written: Record<string, unknown>) => void

/** Returns the declared part of a value, ready to be turned into JSON. */
export type ReplyWriter = (value: unknown, onObject?: OnObject) => unknown

/** Writes an answer and prepares its objects for sending. */
export type Finish = <Written>(write: (onObject: OnObject) => Written) => Promise<Written>

type Keyed = Readonly<Record<string, unknown>>

const asItIs: ReplyWriter = (value) => value
const writers = new WeakMap<z.ZodType, ReplyWriter>()

/**
 * Makes the writer of a schema: it takes the declared keys of each object, at every depth, and nothing else.
 *
 * Records with free keys keep their keys. Values declared as unknown are written unchanged. Each schema has one writer.
 * Throws for a kind of schema that no reply has used so far, so that a developer decides which part of it is sent.
 */
export function replyWriter(schema: z.ZodType): ReplyWriter {
  const writer = writers.get(schema) ?? makeWriter(schema)
  writers.set(schema, writer)
  return writer
}

function makeWriter(schema: z.ZodType): ReplyWriter {
  if (schema instanceof z.ZodObject) return objectWriter(schema)
  if (schema instanceof z.ZodArray) return arrayWriter(schema)
  if (schema instanceof z.ZodRecord) return recordWriter(schema)
  if (schema instanceof z.ZodUnion) return unionWriter(schema)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return replyWriter(schema.unwrap() as z.ZodType)
  // A handler returns the input side of a pipe; replies are not parsed.
  if (schema instanceof z.ZodPipe) return replyWriter(schema.in as z.ZodType)
  if (keyless.some((kind) => schema instanceof kind)) return asItIs
  throw new Error(`No reply can be written by a schema of the type ${schema.type}`)
}

/** Schemas of values without keys, or with free keys. */
const keyless = [
  z.ZodString,
  z.ZodStringFormat,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodNull,
  z.ZodNever,
  z.ZodUnknown,
  z.ZodCustom,
]

function objectWriter(schema: z.ZodObject): ReplyWriter {
  const declared = Object.entries(schema.shape).map(([key, part]) => ({ key, write: replyWriter(part as z.ZodType) }))
  return (value, onObject) => {
    if (!isKeyed(value)) return value
    const written: Record<string, unknown> = {}
    for (const { key, write } of declared) {
      const part = value[key]
      if (part !== undefined) written[key] = write(part, onObject)
    }
    onObject?.(schema, written)
    return written
  }
}

function arrayWriter({ element }: z.ZodArray): ReplyWriter {
  const write = replyWriter(element as z.ZodType)
  return write === asItIs
    ? asItIs
    : (value, onObject) => (Array.isArray(value) ? value.map((part) => write(part, onObject)) : value)
}

function recordWriter({ valueType }: z.ZodRecord): ReplyWriter {
  const write = replyWriter(valueType as z.ZodType)
  if (write === asItIs) return asItIs
  return (value, onObject) =>
    isKeyed(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, write(part, onObject)]))
      : value
}

/** Writes by the first schema that matches. */
function unionWriter({ options }: z.ZodUnion): ReplyWriter {
  const choices = options.map((option) => ({
    canBe: recogniser(option as z.ZodType),
    write: replyWriter(option as z.ZodType),
  }))
  if (choices.every(({ write }) => write === asItIs)) return asItIs
  return (value, onObject) => {
    const choice = choices.find(({ canBe }) => canBe(value))
    if (!choice) throw new UndeclaredAnswer('A reply is none of the things that its operation declares')
    return choice.write(value, onObject)
  }
}

/** Makes a check whether a schema matches a value: objects are recognised by their required keys and the fixed values of these. */
function recogniser(schema: z.ZodType): (value: unknown) => boolean {
  if (!(schema instanceof z.ZodObject)) return (value) => !isKeyed(value)
  const needed = Object.entries(schema.shape).filter(
    ([, part]) => !(part instanceof z.ZodOptional || part instanceof z.ZodDefault),
  )
  return (value) =>
    isKeyed(value) &&
    needed.every(([key, part]) =>
      part instanceof z.ZodLiteral ? part.values.has(value[key] as never) : value[key] !== undefined,
    )
}

function isKeyed(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
