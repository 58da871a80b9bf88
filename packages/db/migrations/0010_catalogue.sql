CREATE TABLE "currencies" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"rate" numeric,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "currencies_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "price_list_entries" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"price_list_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"price" numeric,
	"percent" numeric,
	"tier_mode" text DEFAULT 'VOLUME' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "price_list_entries_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "price_list_entries_one" CHECK (CASE "price_list_entries"."mode" WHEN 'FIXED' THEN coalesce("price_list_entries"."price" >= 0, false) AND "price_list_entries"."percent" IS NULL ELSE coalesce("price_list_entries"."percent" BETWEEN 0 AND 100, false) AND "price_list_entries"."price" IS NULL END)
);
--> statement-breakpoint
CREATE TABLE "price_list_entry_tiers" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entry_id" uuid NOT NULL,
	"min_quantity" numeric NOT NULL,
	"max_quantity" numeric,
	"price" numeric,
	"percent" numeric,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "price_list_entry_tiers_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "price_list_entry_tiers_bounds" CHECK ("price_list_entry_tiers"."min_quantity" >= 0 AND "price_list_entry_tiers"."max_quantity" >= "price_list_entry_tiers"."min_quantity")
);
--> statement-breakpoint
CREATE TABLE "price_lists" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"currency" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"starts_at" timestamptz(3),
	"ends_at" timestamptz(3),
	"company_ids" uuid[] DEFAULT '{}' NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(name)) STORED,
	CONSTRAINT "price_lists_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_attribute_assignments" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"attribute_id" uuid NOT NULL,
	"value" jsonb,
	"value_ids" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_attribute_assignments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_attribute_groups" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_attribute_groups_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_attribute_values" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"attribute_id" uuid NOT NULL,
	"name" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_attribute_values_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_attributes" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"group_id" uuid,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"type" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_attributes_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_categories" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"parent_id" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_categories_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_images" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"alt" text,
	"position" integer NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_images_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_tags" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "product_tags_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"sku" text,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"description" text,
	"category_id" uuid,
	"unit_id" uuid,
	"base_price" numeric,
	"currency" text NOT NULL,
	"cost" numeric,
	"tax_rate_id" uuid,
	"barcode" text,
	"parent_id" uuid,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_fold(name || ' ' || coalesce(sku, '') || ' ' || coalesce(barcode, ''))) STORED,
	CONSTRAINT "products_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "tax_rates" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"rate" numeric NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "tax_rates_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "units" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"symbol" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "units_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "currencies" ADD CONSTRAINT "currencies_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_list_entries" ADD CONSTRAINT "price_list_entries_list" FOREIGN KEY ("workspace_id","price_list_id") REFERENCES "public"."price_lists"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_list_entries" ADD CONSTRAINT "price_list_entries_product" FOREIGN KEY ("workspace_id","product_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_list_entry_tiers" ADD CONSTRAINT "price_list_entry_tiers_entry" FOREIGN KEY ("workspace_id","entry_id") REFERENCES "public"."price_list_entries"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_lists" ADD CONSTRAINT "price_lists_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attribute_assignments" ADD CONSTRAINT "product_attribute_assignments_product" FOREIGN KEY ("workspace_id","product_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attribute_assignments" ADD CONSTRAINT "product_attribute_assignments_attribute" FOREIGN KEY ("workspace_id","attribute_id") REFERENCES "public"."product_attributes"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attribute_groups" ADD CONSTRAINT "product_attribute_groups_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attribute_values" ADD CONSTRAINT "product_attribute_values_attribute" FOREIGN KEY ("workspace_id","attribute_id") REFERENCES "public"."product_attributes"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attributes" ADD CONSTRAINT "product_attributes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_attributes" ADD CONSTRAINT "product_attributes_group" FOREIGN KEY ("workspace_id","group_id") REFERENCES "public"."product_attribute_groups"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."product_categories"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_product" FOREIGN KEY ("workspace_id","product_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_of_file" FOREIGN KEY ("workspace_id","file_id") REFERENCES "public"."files"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_tags" ADD CONSTRAINT "product_tags_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_category" FOREIGN KEY ("workspace_id","category_id") REFERENCES "public"."product_categories"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_unit" FOREIGN KEY ("workspace_id","unit_id") REFERENCES "public"."units"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_tax_rate" FOREIGN KEY ("workspace_id","tax_rate_id") REFERENCES "public"."tax_rates"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_rates" ADD CONSTRAINT "tax_rates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "units" ADD CONSTRAINT "units_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "currencies_code" ON "currencies" USING btree ("workspace_id","code");--> statement-breakpoint
CREATE UNIQUE INDEX "price_list_entries_once" ON "price_list_entries" USING btree ("workspace_id","product_id","price_list_id");--> statement-breakpoint
CREATE INDEX "price_list_entries_of_list" ON "price_list_entries" USING btree ("workspace_id","price_list_id","created_at","id");--> statement-breakpoint
CREATE INDEX "price_list_entry_tiers_of_entry" ON "price_list_entry_tiers" USING btree ("workspace_id","entry_id","min_quantity");--> statement-breakpoint
CREATE INDEX "price_lists_newest" ON "price_lists" USING btree ("workspace_id","created_at","id") WHERE "price_lists"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "price_lists_by_owner" ON "price_lists" USING btree ("workspace_id","owner_id","created_at","id") WHERE "price_lists"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "price_lists_by_department" ON "price_lists" USING btree ("workspace_id","department_id","created_at","id") WHERE "price_lists"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "price_lists_default" ON "price_lists" USING btree ("workspace_id","currency") WHERE "price_lists"."is_default" and "price_lists"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "price_lists_companies" ON "price_lists" USING gin ("company_ids");--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_assignments_once" ON "product_attribute_assignments" USING btree ("workspace_id","product_id","attribute_id");--> statement-breakpoint
CREATE INDEX "product_attribute_assignments_by_attribute" ON "product_attribute_assignments" USING btree ("workspace_id","attribute_id");--> statement-breakpoint
CREATE INDEX "product_attribute_assignments_values" ON "product_attribute_assignments" USING gin ("value_ids");--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_groups_name" ON "product_attribute_groups" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_values_name" ON "product_attribute_values" USING btree ("workspace_id","attribute_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "product_attributes_code" ON "product_attributes" USING btree ("workspace_id",lower("code"));--> statement-breakpoint
CREATE INDEX "product_attributes_by_group" ON "product_attributes" USING btree ("workspace_id","group_id");--> statement-breakpoint
CREATE UNIQUE INDEX "product_categories_name" ON "product_categories" USING btree ("workspace_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'),lower("name"));--> statement-breakpoint
CREATE INDEX "product_categories_by_parent" ON "product_categories" USING btree ("workspace_id","parent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "product_images_file" ON "product_images" USING btree ("workspace_id","product_id","file_id");--> statement-breakpoint
CREATE INDEX "product_images_by_file" ON "product_images" USING btree ("workspace_id","file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "product_tags_name" ON "product_tags" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE INDEX "products_newest" ON "products" USING btree ("workspace_id","created_at","id") WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_by_owner" ON "products" USING btree ("workspace_id","owner_id","created_at","id") WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_by_department" ON "products" USING btree ("workspace_id","department_id","created_at","id") WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "products_sku" ON "products" USING btree ("workspace_id",lower("sku")) WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_by_status" ON "products" USING btree ("workspace_id","status","created_at","id") WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_by_category" ON "products" USING btree ("workspace_id","category_id","created_at","id") WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_by_parent" ON "products" USING btree ("workspace_id","parent_id");--> statement-breakpoint
CREATE INDEX "products_by_unit" ON "products" USING btree ("workspace_id","unit_id");--> statement-breakpoint
CREATE INDEX "products_by_tax_rate" ON "products" USING btree ("workspace_id","tax_rate_id");--> statement-breakpoint
CREATE INDEX "products_tags" ON "products" USING gin ("tags");--> statement-breakpoint
CREATE UNIQUE INDEX "tax_rates_name" ON "tax_rates" USING btree ("workspace_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "units_name" ON "units" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
-- A quantity has one tier at most, however many write tiers at the same time.
ALTER TABLE price_list_entry_tiers ADD CONSTRAINT price_list_entry_tiers_apart
  EXCLUDE USING gist (workspace_id WITH =, entry_id WITH =, numrange(min_quantity, max_quantity, '[]') WITH &&);
--> statement-breakpoint
CALL crm_keep_counts('products', '''PRODUCT''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('price_lists', '''PRICE_LIST''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
-- Workspaces that are there already begin with what a new one has, and with every currency that they use.
INSERT INTO currencies (workspace_id, id, code, name) SELECT w.id, gen_random_uuid(), usual.code, usual.name FROM workspaces w, (VALUES
  ('AED', 'UAE Dirham'), ('ARS', 'Argentine Peso'), ('AUD', 'Australian Dollar'), ('BGN', 'Bulgarian Lev'),
  ('BHD', 'Bahraini Dinar'), ('BRL', 'Brazilian Real'), ('CAD', 'Canadian Dollar'), ('CHF', 'Swiss Franc'),
  ('CLP', 'Chilean Peso'), ('CNY', 'Chinese Yuan'), ('COP', 'Colombian Peso'), ('CZK', 'Czech Koruna'),
  ('DKK', 'Danish Krone'), ('EGP', 'Egyptian Pound'), ('EUR', 'Euro'), ('GBP', 'British Pound'),
  ('HKD', 'Hong Kong Dollar'), ('HUF', 'Hungarian Forint'), ('IDR', 'Indonesian Rupiah'), ('ILS', 'Israeli New Shekel'),
  ('INR', 'Indian Rupee'), ('ISK', 'Icelandic Króna'), ('JPY', 'Japanese Yen'), ('KRW', 'South Korean Won'),
  ('KWD', 'Kuwaiti Dinar'), ('KZT', 'Kazakhstani Tenge'), ('MXN', 'Mexican Peso'), ('MYR', 'Malaysian Ringgit'),
  ('NGN', 'Nigerian Naira'), ('NOK', 'Norwegian Krone'), ('NZD', 'New Zealand Dollar'), ('PHP', 'Philippine Peso'),
  ('PLN', 'Polish Zloty'), ('RON', 'Romanian Leu'), ('RSD', 'Serbian Dinar'), ('RUB', 'Russian Ruble'),
  ('SAR', 'Saudi Riyal'), ('SEK', 'Swedish Krona'), ('SGD', 'Singapore Dollar'), ('THB', 'Thai Baht'),
  ('TRY', 'Turkish Lira'), ('TWD', 'New Taiwan Dollar'), ('UAH', 'Ukrainian Hryvnia'), ('USD', 'US Dollar'),
  ('UYU', 'Uruguayan Peso'), ('VND', 'Vietnamese Dong'), ('ZAR', 'South African Rand')
) usual (code, name);
--> statement-breakpoint
INSERT INTO currencies (workspace_id, id, code, name)
SELECT workspace_id, gen_random_uuid(), code, code FROM (
  SELECT id AS workspace_id, currency AS code FROM workspaces
  UNION SELECT workspace_id, currency FROM deals
  UNION SELECT workspace_id, currency FROM projects WHERE currency IS NOT NULL
) used ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO units (workspace_id, id, name, symbol) SELECT w.id, gen_random_uuid(), usual.name, usual.symbol FROM workspaces w, (VALUES
  ('Piece', 'pc'), ('Hour', 'h'), ('Day', 'd'), ('Month', 'mo'), ('Kilogram', 'kg'),
  ('Metre', 'm'), ('Square metre', 'm²'), ('Litre', 'l'), ('Set', 'set'), ('Flat rate', NULL)
) usual (name, symbol);
--> statement-breakpoint
INSERT INTO tax_rates (workspace_id, id, name, rate) SELECT w.id, gen_random_uuid(), usual.name, usual.rate::numeric FROM workspaces w, (VALUES
  ('No tax', '0'), ('Standard', '20'), ('Reduced', '10')
) usual (name, rate);
