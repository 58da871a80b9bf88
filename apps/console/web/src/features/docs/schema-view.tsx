import type { ApiDocument, Schema } from './reference.ts'
import classes from './schema-view.module.css'
import { describeLimits, describeType, enumerated, membersOf } from './schema-words.ts'

const depthMax = 6

/** The members of a schema; nested members open on a click. */
export function SchemaView({
  document,
  schema,
  depth = 0,
}: {
  readonly document: ApiDocument
  readonly schema: Schema
  readonly depth?: number
}) {
  const members = membersOf(document, schema)
  if (members.length === 0) return <p className={classes.type}>{describeType(document, schema)}</p>
  return (
    <ul className={classes.members}>
      {members.map(({ name, schema: member, required }) => (
        <li key={name} className={classes.member}>
          <SchemaLine document={document} name={name} schema={member} required={required} />
          {depth < depthMax && membersOf(document, member).length > 0 && (
            <details>
              <summary>{`Members of ${name}`}</summary>
              <SchemaView document={document} schema={member} depth={depth + 1} />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

interface SchemaLineProps {
  readonly document: ApiDocument
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly description?: string
}

/** A named value: its type, its limits and its meaning. */
export function SchemaLine({ document, name, schema, required, description = schema.description }: SchemaLineProps) {
  const values = enumerated(schema)
  return (
    <>
      <div className={classes.line}>
        <code className={classes.name}>{name}</code>
        <span className={classes.type}>{describeType(document, schema)}</span>
        {required && <span className={classes.required}>required</span>}
        {describeLimits(schema).map((limit) => (
          <span key={limit} className={classes.type}>
            {limit}
          </span>
        ))}
      </div>
      {description !== undefined && <div className={classes.description}>{description}</div>}
      {values.length > 0 && (
        <div className={classes.values}>
          {values.map((value) => (
            <code key={value}>{value}</code>
          ))}
        </div>
      )}
    </>
  )
}
