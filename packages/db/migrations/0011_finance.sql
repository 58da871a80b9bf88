CREATE TABLE "document_records" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"title" text NOT NULL,
	"status" text NOT NULL,
	"file_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "document_records_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"body" text NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(name || ' ' || kind)) STORED,
	CONSTRAINT "documents_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" text,
	"company_id" uuid,
	"contact_id" uuid,
	"deal_id" uuid,
	"party_name" text,
	"currency" text NOT NULL,
	"issue_date" date,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"discount" jsonb,
	"tax_mode" text NOT NULL,
	"subtotal" numeric(18, 6) NOT NULL,
	"discount_total" numeric(18, 6) NOT NULL,
	"tax_total" numeric(18, 6) NOT NULL,
	"taxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"total" numeric(18, 6) NOT NULL,
	"notes" text,
	"terms" text,
	"billing_address" jsonb,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500))) STORED,
	"status" text NOT NULL,
	"due_date" date,
	"amount_paid" numeric(18, 6) DEFAULT '0' NOT NULL,
	"quote_id" uuid,
	"order_id" uuid,
	"issued_at" timestamptz(3),
	"sent_at" timestamptz(3),
	"paid_at" timestamptz(3),
	"voided_at" timestamptz(3),
	CONSTRAINT "invoices_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "number_sequences" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"name" text NOT NULL,
	"pattern" text NOT NULL,
	"next_value" integer DEFAULT 1 NOT NULL,
	"reset_period" text DEFAULT 'NEVER' NOT NULL,
	"period" text,
	"last_used" integer,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "number_sequences_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" text,
	"company_id" uuid,
	"contact_id" uuid,
	"deal_id" uuid,
	"party_name" text,
	"currency" text NOT NULL,
	"issue_date" date,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"discount" jsonb,
	"tax_mode" text NOT NULL,
	"subtotal" numeric(18, 6) NOT NULL,
	"discount_total" numeric(18, 6) NOT NULL,
	"tax_total" numeric(18, 6) NOT NULL,
	"taxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"total" numeric(18, 6) NOT NULL,
	"notes" text,
	"terms" text,
	"billing_address" jsonb,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500))) STORED,
	"status" text NOT NULL,
	"due_date" date,
	"quote_id" uuid,
	"invoice_id" uuid,
	"confirmed_at" timestamptz(3),
	"fulfilled_at" timestamptz(3),
	"cancelled_at" timestamptz(3),
	CONSTRAINT "orders_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "payment_links_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"amount" numeric(18, 6) NOT NULL,
	"currency" text NOT NULL,
	"paid_at" timestamptz(3) NOT NULL,
	"method" text NOT NULL,
	"reference" text,
	"note" text,
	"reversed_at" timestamptz(3),
	"reversed_by_id" uuid,
	"reversal_reason" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "payments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" text,
	"company_id" uuid,
	"contact_id" uuid,
	"deal_id" uuid,
	"party_name" text,
	"currency" text NOT NULL,
	"issue_date" date,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"discount" jsonb,
	"tax_mode" text NOT NULL,
	"subtotal" numeric(18, 6) NOT NULL,
	"discount_total" numeric(18, 6) NOT NULL,
	"tax_total" numeric(18, 6) NOT NULL,
	"taxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"total" numeric(18, 6) NOT NULL,
	"notes" text,
	"terms" text,
	"billing_address" jsonb,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500))) STORED,
	"status" text NOT NULL,
	"expires_at" timestamptz(3),
	"sent_at" timestamptz(3),
	"decided_at" timestamptz(3),
	"converted_type" text,
	"converted_id" uuid,
	CONSTRAINT "quotes_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "document_records" ADD CONSTRAINT "document_records_document" FOREIGN KEY ("workspace_id","document_id") REFERENCES "public"."documents"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_records" ADD CONSTRAINT "document_records_file" FOREIGN KEY ("workspace_id","file_id") REFERENCES "public"."files"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_sequences" ADD CONSTRAINT "number_sequences_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_invoice" FOREIGN KEY ("workspace_id","invoice_id") REFERENCES "public"."invoices"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_invoice" FOREIGN KEY ("workspace_id","invoice_id") REFERENCES "public"."invoices"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "document_records_newest" ON "document_records" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "document_records_of_record" ON "document_records" USING btree ("workspace_id","entity_type","entity_id","id");--> statement-breakpoint
CREATE INDEX "document_records_of_document" ON "document_records" USING btree ("workspace_id","document_id");--> statement-breakpoint
CREATE INDEX "documents_newest" ON "documents" USING btree ("workspace_id","created_at","id") WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "documents_by_owner" ON "documents" USING btree ("workspace_id","owner_id","created_at","id") WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "documents_by_department" ON "documents" USING btree ("workspace_id","department_id","created_at","id") WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_newest" ON "invoices" USING btree ("workspace_id","created_at","id") WHERE "invoices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_by_owner" ON "invoices" USING btree ("workspace_id","owner_id","created_at","id") WHERE "invoices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_by_department" ON "invoices" USING btree ("workspace_id","department_id","created_at","id") WHERE "invoices"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("workspace_id","number");--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "invoices" USING btree ("workspace_id","status","created_at","id") WHERE "invoices"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_by_company" ON "invoices" USING btree ("workspace_id","company_id");--> statement-breakpoint
CREATE INDEX "invoices_by_contact" ON "invoices" USING btree ("workspace_id","contact_id");--> statement-breakpoint
CREATE INDEX "invoices_by_deal" ON "invoices" USING btree ("workspace_id","deal_id");--> statement-breakpoint
CREATE INDEX "invoices_by_due_date" ON "invoices" USING btree ("workspace_id","due_date") WHERE "invoices"."deleted_at" is null and "invoices"."status" in ('ISSUED', 'PARTIALLY_PAID');--> statement-breakpoint
CREATE UNIQUE INDEX "number_sequences_default" ON "number_sequences" USING btree ("workspace_id","entity_type") WHERE "number_sequences"."is_default";--> statement-breakpoint
CREATE UNIQUE INDEX "number_sequences_name" ON "number_sequences" USING btree ("workspace_id","entity_type",lower("name"));--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("workspace_id","created_at","id") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_owner" ON "orders" USING btree ("workspace_id","owner_id","created_at","id") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_department" ON "orders" USING btree ("workspace_id","department_id","created_at","id") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number" ON "orders" USING btree ("workspace_id","number");--> statement-breakpoint
CREATE INDEX "orders_by_status" ON "orders" USING btree ("workspace_id","status","created_at","id") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_company" ON "orders" USING btree ("workspace_id","company_id");--> statement-breakpoint
CREATE INDEX "orders_by_contact" ON "orders" USING btree ("workspace_id","contact_id");--> statement-breakpoint
CREATE INDEX "orders_by_deal" ON "orders" USING btree ("workspace_id","deal_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_token" ON "payment_links" USING btree ("workspace_id","token_hash");--> statement-breakpoint
CREATE INDEX "payment_links_of_invoice" ON "payment_links" USING btree ("workspace_id","invoice_id","id");--> statement-breakpoint
CREATE INDEX "payments_of_invoice" ON "payments" USING btree ("workspace_id","invoice_id","paid_at","id");--> statement-breakpoint
CREATE INDEX "quotes_newest" ON "quotes" USING btree ("workspace_id","created_at","id") WHERE "quotes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "quotes_by_owner" ON "quotes" USING btree ("workspace_id","owner_id","created_at","id") WHERE "quotes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "quotes_by_department" ON "quotes" USING btree ("workspace_id","department_id","created_at","id") WHERE "quotes"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_number" ON "quotes" USING btree ("workspace_id","number");--> statement-breakpoint
CREATE INDEX "quotes_by_status" ON "quotes" USING btree ("workspace_id","status","created_at","id") WHERE "quotes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "quotes_by_company" ON "quotes" USING btree ("workspace_id","company_id");--> statement-breakpoint
CREATE INDEX "quotes_by_contact" ON "quotes" USING btree ("workspace_id","contact_id");--> statement-breakpoint
CREATE INDEX "quotes_by_deal" ON "quotes" USING btree ("workspace_id","deal_id");--> statement-breakpoint
CALL crm_keep_counts('quotes', '''QUOTE''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('orders', '''ORDER''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('invoices', '''INVOICE''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('documents', '''DOCUMENT''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
