-- The whole schema. Functions that columns are computed by come first, then each table, then references from table to table, then indexes;
-- at the end stands what packages/db/src/schema cannot say.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- Text as search compares it: without case and accents. The dictionary is named, so the result depends on nothing else.
CREATE FUNCTION crm_fold(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
SET search_path = public, pg_catalog
AS $$ SELECT lower(unaccent('unaccent'::regdictionary, value)) $$;
--> statement-breakpoint
-- The words of a list as one text. PostgreSQL cannot know that joining texts depends on nothing else.
CREATE FUNCTION crm_words(words text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
AS $$ SELECT array_to_string(words, ' ') $$;
--> statement-breakpoint
-- Text as search looks for it: without case and accents, each sign as an accented letter, of which it has no other, and each blank as
-- two. The index of texts knows three letters or digits in a row and nothing else. With signs and blanks among them it tells an address
-- from one that differs in a dot alone, and a word that begins with two letters from one that has them anywhere.
CREATE FUNCTION crm_searchable(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
SET search_path = public, pg_catalog
AS $$
  SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    lower(unaccent('unaccent'::regdictionary, value)),
    '!', 'ā'), '"', 'ă'), '#', 'ą'), '$', 'ć'),
    '%', 'ĉ'), '&', 'ċ'), '''', 'č'), '(', 'ď'),
    ')', 'ē'), '*', 'ĕ'), '+', 'ė'), ',', 'ę'),
    '-', 'ě'), '.', 'ĝ'), '/', 'ğ'), ':', 'ġ'),
    ';', 'ģ'), '<', 'ĥ'), '=', 'ĩ'), '>', 'ī'),
    '?', 'ĭ'), '@', 'į'), '[', 'ĵ'), '\', 'ķ'),
    ']', 'ĺ'), '^', 'ļ'), '_', 'ľ'), '`', 'ń'),
    '{', 'ņ'), '|', 'ň'), '}', 'ō'), '~', 'ŏ'),
    E'\n', ' '), E'\r', ' '), E'\t', ' '), ' ', 'šš')
$$;
--> statement-breakpoint
CREATE TABLE "booking_links" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"organizer_id" uuid NOT NULL,
	"duration_min" integer DEFAULT 30 NOT NULL,
	"buffer_min" integer DEFAULT 0 NOT NULL,
	"timezone" text NOT NULL,
	"weekly_hours" jsonb NOT NULL,
	"date_overrides" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"show_avatar" boolean DEFAULT true NOT NULL,
	"link_guest" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "booking_links_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "booking_mails" (
	"workspace_id" uuid NOT NULL,
	"booking_id" uuid NOT NULL,
	"news" text NOT NULL,
	"sequence" integer NOT NULL,
	"manage_token" text NOT NULL,
	"to_guest" boolean DEFAULT true NOT NULL,
	"to_organizer" boolean DEFAULT true NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "booking_mails_workspace_id_booking_id_pk" PRIMARY KEY("workspace_id","booking_id")
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"organizer_id" uuid NOT NULL,
	"status" text NOT NULL,
	"start_at" timestamptz(3) NOT NULL,
	"end_at" timestamptz(3) NOT NULL,
	"invitee_name" text NOT NULL,
	"invitee_email" text NOT NULL,
	"invitee_timezone" text NOT NULL,
	"invitee_phone" text,
	"invitee_locale" text,
	"note" text,
	"manage_token_hash" "bytea" NOT NULL,
	"call_token_hash" "bytea" NOT NULL,
	"join_url" text NOT NULL,
	"room_id" text,
	"calendar_sequence" integer DEFAULT 0 NOT NULL,
	"confirmation_email_sent" boolean DEFAULT false NOT NULL,
	"lead_id" uuid,
	"contact_id" uuid,
	"cancelled_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "bookings_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "bookings_manage_token" UNIQUE("workspace_id","manage_token_hash"),
	CONSTRAINT "bookings_call_token" UNIQUE("workspace_id","call_token_hash")
);
--> statement-breakpoint
CREATE TABLE "calendar_events" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"booking_id" uuid,
	"title" text NOT NULL,
	"start_at" timestamptz(3) NOT NULL,
	"end_at" timestamptz(3) NOT NULL,
	"all_day" boolean DEFAULT false NOT NULL,
	"start_date" date,
	"end_date" date,
	"busy" boolean DEFAULT true NOT NULL,
	"subscription_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "calendar_events_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_feeds_workspace_id_employee_id_pk" PRIMARY KEY("workspace_id","employee_id"),
	CONSTRAINT "calendar_feeds_token" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "calendar_subscriptions" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"next_fetch_at" timestamptz(3) DEFAULT now() NOT NULL,
	"fetched_at" timestamptz(3),
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"content" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"read_revision" integer DEFAULT 0 NOT NULL,
	"read_until" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "calendar_subscriptions_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
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
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name)) STORED,
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
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name || ' ' || coalesce(sku, '') || ' ' || coalesce(barcode, ''))) STORED,
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
CREATE TABLE "channels" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"topic" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name || ' ' || coalesce(topic, ''))) STORED,
	CONSTRAINT "channels_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "conversation_messages" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || body)) STORED,
	CONSTRAINT "conversation_messages_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"last_message_at" timestamptz(3) NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || subject)) STORED,
	CONSTRAINT "conversations_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"scopes" text[] NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3),
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "api_keys_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "api_keys_hash" UNIQUE("workspace_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamptz(3) DEFAULT now() NOT NULL,
	"actor_type" text DEFAULT 'EMPLOYEE' NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"outcome" text DEFAULT 'SUCCESS' NOT NULL,
	"address" text,
	"user_agent" text,
	"subject_type" text NOT NULL,
	"subject_id" text,
	"summary" text NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_log_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "departments" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"parent_id" uuid,
	"head_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "departments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "employee_roles" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "employee_roles_workspace_id_employee_id_role_id_pk" PRIMARY KEY("workspace_id","employee_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "employees" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"password_hash" text NOT NULL,
	"department_id" uuid,
	"manager_id" uuid,
	"timezone" text,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "employees_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"read_at" timestamptz(3),
	CONSTRAINT "notifications_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_system" boolean DEFAULT false NOT NULL,
	"permissions" text[] NOT NULL,
	"access" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "roles_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"address" text,
	"user_agent" text,
	CONSTRAINT "sessions_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "sessions_token" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_tries" (
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"blocked_until" timestamptz(3),
	"ends_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_tries_workspace_id_key_pk" PRIMARY KEY("workspace_id","key")
);
--> statement-breakpoint
CREATE TABLE "workspace_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspace_modules" (
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"enabled" boolean NOT NULL,
	"reason" text,
	CONSTRAINT "workspace_modules_workspace_id_key_pk" PRIMARY KEY("workspace_id","key")
);
--> statement-breakpoint
CREATE TABLE "workspace_quotas" (
	"workspace_id" uuid NOT NULL,
	"quota" text NOT NULL,
	"limit" integer NOT NULL,
	CONSTRAINT "workspace_quotas_workspace_id_quota_pk" PRIMARY KEY("workspace_id","quota")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"base_url" text NOT NULL,
	"locale" text DEFAULT 'en' NOT NULL,
	"time_format" text DEFAULT '24h' NOT NULL,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"currency" text DEFAULT 'EUR' NOT NULL,
	"merge_exact_duplicates" boolean DEFAULT false NOT NULL,
	"brand" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"in_maintenance" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"body" text NOT NULL,
	"visibility" text DEFAULT 'INTERNAL' NOT NULL,
	"author_type" text NOT NULL,
	"author_id" uuid,
	"author_name" text NOT NULL,
	"author_email" text,
	"external_source" text,
	"external_id" text,
	"parent_id" uuid,
	"mentions" uuid[] DEFAULT '{}' NOT NULL,
	"file_ids" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "comments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "companies" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"domain" text,
	"phone" text,
	"email" text,
	"website" text,
	"industry_id" uuid,
	"size" text,
	"tax_id" text,
	"billing_address" jsonb,
	"shipping_address" jsonb,
	"parent_id" uuid,
	"description" text,
	"merged_into_id" uuid,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name || ' ' || coalesce(domain, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, ''))) STORED,
	CONSTRAINT "companies_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"first_name" text,
	"last_name" text,
	"email" text,
	"phone" text,
	"job_title" text,
	"company_id" uuid,
	"address" jsonb,
	"messengers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"emails" text[] DEFAULT '{}' NOT NULL,
	"phones" text[] DEFAULT '{}' NOT NULL,
	"birthday" date,
	"socials" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"description" text,
	"merged_into_id" uuid,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || crm_words(emails) || ' ' || crm_words(phones))) STORED,
	CONSTRAINT "contacts_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "custom_fields" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"type" text NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_required" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "custom_fields_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "deals" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"amount" numeric(18, 6),
	"currency" text NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"status" text NOT NULL,
	"probability" smallint,
	"expected_close_date" date,
	"contact_id" uuid,
	"company_id" uuid,
	"lead_id" uuid,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"description" text,
	"lost_reason" text,
	"stage_changed_at" timestamptz(3) DEFAULT now() NOT NULL,
	"closed_at" timestamptz(3),
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name)) STORED,
	CONSTRAINT "deals_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"claim_id" uuid NOT NULL,
	"lease_until" timestamptz(3) NOT NULL,
	"status" smallint,
	"body" text,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "idempotency_keys_workspace_id_employee_id_key_pk" PRIMARY KEY("workspace_id","employee_id","key")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"employee_id" uuid NOT NULL,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cursor" text,
	"lease_until" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "jobs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "lead_sources" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"system_key" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "lead_sources_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"first_name" text,
	"last_name" text,
	"company_name" text,
	"email" text,
	"phone" text,
	"job_title" text,
	"website" text,
	"address" jsonb,
	"messengers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"temperature" text,
	"score" smallint DEFAULT 0 NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"stage_id" uuid NOT NULL,
	"source_id" uuid,
	"utm_source" text,
	"utm_medium" text,
	"utm_campaign" text,
	"utm_content" text,
	"utm_term" text,
	"gclid" text,
	"fbclid" text,
	"referrer" text,
	"landing_page" text,
	"lost_reason" text,
	"status_changed_at" timestamptz(3) DEFAULT now() NOT NULL,
	"stage_changed_at" timestamptz(3) DEFAULT now() NOT NULL,
	"converted_at" timestamptz(3),
	"last_activity_at" timestamptz(3),
	"contact_id" uuid,
	"company_id" uuid,
	"deal_id" uuid,
	"merged_into_id" uuid,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))) STORED,
	CONSTRAINT "leads_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"topic" text NOT NULL,
	"event" text NOT NULL,
	"entity_type" text,
	"entity_id" uuid,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"relayed_at" timestamptz(3),
	"attempts" smallint DEFAULT 0 NOT NULL,
	"done_at" timestamptz(3),
	CONSTRAINT "outbox_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "pipelines" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"entity_type" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"color" text,
	"no_skipping" boolean DEFAULT false NOT NULL,
	"no_backwards" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "pipelines_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "record_counts" (
	"workspace_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "record_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid,
	"holder_id" uuid,
	"department_id" uuid,
	"pipeline_id" uuid,
	"stage_id" uuid,
	"status" text,
	"n" integer NOT NULL,
	CONSTRAINT "record_counts_workspace_id_entity_type_id_pk" PRIMARY KEY("workspace_id","entity_type","id")
);
--> statement-breakpoint
CREATE TABLE "retired_field_values" (
	"workspace_id" uuid NOT NULL,
	"field_id" uuid NOT NULL,
	"record_id" uuid NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "retired_field_values_workspace_id_field_id_record_id_pk" PRIMARY KEY("workspace_id","field_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "retired_fields" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"key" text NOT NULL,
	"definition" jsonb NOT NULL,
	"value_count" integer NOT NULL,
	"retired_at" timestamptz(3) NOT NULL,
	"purge_at" timestamptz(3) NOT NULL,
	"retired_by_id" uuid,
	CONSTRAINT "retired_fields_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "stages" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"pipeline_id" uuid NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"color" text,
	"type" text DEFAULT 'OPEN' NOT NULL,
	"mapped_status" text,
	"probability" smallint,
	"rotting_days" smallint,
	"required_fields" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "stages_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "stages_in_pipeline" UNIQUE("workspace_id","pipeline_id","id")
);
--> statement-breakpoint
CREATE TABLE "timeline" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"occurred_at" timestamptz(3) DEFAULT now() NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"source" text NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"related_type" text,
	"related_id" uuid,
	CONSTRAINT "timeline_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "file_links" (
	"workspace_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "file_links_workspace_id_file_id_entity_type_entity_id_pk" PRIMARY KEY("workspace_id","file_id","entity_type","entity_id")
);
--> statement-breakpoint
CREATE TABLE "file_uploads" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"started_at" timestamptz(3) NOT NULL,
	CONSTRAINT "file_uploads_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"uploaded_by_id" uuid NOT NULL,
	"department_id" uuid,
	"deleted_at" timestamptz(3),
	"leaves_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name)) STORED,
	CONSTRAINT "files_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
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
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || name || ' ' || kind)) STORED,
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
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500))) STORED,
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
CREATE TABLE "number_periods" (
	"workspace_id" uuid NOT NULL,
	"sequence_id" uuid NOT NULL,
	"period" text NOT NULL,
	"last_used" integer NOT NULL,
	CONSTRAINT "number_periods_workspace_id_sequence_id_period_pk" PRIMARY KEY("workspace_id","sequence_id","period")
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
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500))) STORED,
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
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || coalesce(number, '') || ' ' || coalesce(party_name, '') || ' ' || left(coalesce(notes, ''), 500))) STORED,
	"status" text NOT NULL,
	"expires_at" timestamptz(3),
	"sent_at" timestamptz(3),
	"decided_at" timestamptz(3),
	"converted_type" text,
	"converted_id" uuid,
	CONSTRAINT "quotes_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "automation_rules" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"event" text NOT NULL,
	"conditions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"failures_in_row" integer DEFAULT 0 NOT NULL,
	"paused_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "automation_rules_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid,
	"rule_run_id" uuid,
	"run_id" uuid,
	"subject_type" text,
	"subject_id" uuid,
	"request" jsonb NOT NULL,
	"state" text NOT NULL,
	"status" smallint,
	"duration_ms" integer,
	"response_body" text,
	"error" text,
	"attempted_at" timestamptz(3) DEFAULT now() NOT NULL,
	"redelivery_of" uuid,
	CONSTRAINT "deliveries_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "refused_calls" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"at" timestamptz(3) DEFAULT now() NOT NULL,
	"reason" text NOT NULL,
	"size_bytes" bigint,
	CONSTRAINT "refused_calls_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "rule_runs" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"rule_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"entity_id" uuid,
	"subject_type" text,
	"subject_id" uuid,
	"state" text NOT NULL,
	"skipped" jsonb,
	"started_at" timestamptz(3) DEFAULT now() NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "rule_runs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_triggers" (
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"path" text NOT NULL,
	"path_hash" "bytea" NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"is_published" boolean DEFAULT false NOT NULL,
	"method" text DEFAULT 'POST' NOT NULL,
	"header_auth" jsonb,
	"last_request" jsonb,
	"last_request_at" timestamptz(3),
	CONSTRAINT "webhook_triggers_workspace_id_workflow_id_pk" PRIMARY KEY("workspace_id","workflow_id"),
	CONSTRAINT "webhook_triggers_path" UNIQUE("workspace_id","path_hash")
);
--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"run_as_id" uuid NOT NULL,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"epoch" integer DEFAULT 1 NOT NULL,
	"lease_until" timestamptz(3),
	"resume_at" timestamptz(3),
	"trigger" jsonb,
	"failure_code" text,
	"failure_message" text,
	"subject_type" text,
	"subject_id" uuid,
	"depth" smallint DEFAULT 0 NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "workflow_runs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "workflow_step_runs" (
	"workspace_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"position" text NOT NULL,
	"step_key" text NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"epoch" integer NOT NULL,
	"input" jsonb,
	"output" jsonb,
	"failure_code" text,
	"failure_message" text,
	"started_at" timestamptz(3) DEFAULT now() NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "workflow_step_runs_workspace_id_run_id_position_pk" PRIMARY KEY("workspace_id","run_id","position")
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"trigger" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"published_by_id" uuid,
	CONSTRAINT "workflow_versions_workspace_id_workflow_id_version_pk" PRIMARY KEY("workspace_id","workflow_id","version")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'DRAFT' NOT NULL,
	"trigger" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"published_version" integer,
	"listens_to" text,
	"run_as_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "workflows_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "industries" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "industries_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"legal_name" text,
	"tax_id" text,
	"registration_number" text,
	"email" text,
	"phone" text,
	"website" text,
	"address" jsonb,
	"bank_details" text,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activities" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"subject" text,
	"body" text,
	"direction" text,
	"status" text NOT NULL,
	"start_at" timestamptz(3),
	"end_at" timestamptz(3),
	"outcome" text,
	"participants" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || coalesce(subject, '') || ' ' || left(coalesce(body, ''), 2000))) STORED,
	CONSTRAINT "activities_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "checklist_items" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"title" text NOT NULL,
	"is_done" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "checklist_items_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "custom_entities" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"labels" jsonb NOT NULL,
	"fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"has_owner" boolean DEFAULT true NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "custom_entities_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "custom_records" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_key" text NOT NULL,
	"title" text NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || title)) STORED,
	CONSTRAINT "custom_records_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"company_id" uuid,
	"deal_id" uuid,
	"member_ids" uuid[] DEFAULT '{}' NOT NULL,
	"start_date" date,
	"end_date" date,
	"budget" numeric(18, 6),
	"currency" text,
	"progress" smallint DEFAULT 0 NOT NULL,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || number::text || ' ' || name)) STORED,
	CONSTRAINT "projects_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "projects_number" UNIQUE("workspace_id","number")
);
--> statement-breakpoint
CREATE TABLE "record_links" (
	"workspace_id" uuid NOT NULL,
	"from_type" text NOT NULL,
	"from_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" uuid NOT NULL,
	CONSTRAINT "record_links_workspace_id_from_type_from_id_entity_type_entity_id_pk" PRIMARY KEY("workspace_id","from_type","from_id","entity_type","entity_id")
);
--> statement-breakpoint
CREATE TABLE "record_numbers" (
	"workspace_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "record_numbers_workspace_id_entity_type_pk" PRIMARY KEY("workspace_id","entity_type")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"priority" text DEFAULT 'NORMAL' NOT NULL,
	"assignee_id" uuid,
	"member_ids" uuid[] DEFAULT '{}' NOT NULL,
	"project_id" uuid,
	"parent_task_id" uuid,
	"start_at" timestamptz(3),
	"due_at" timestamptz(3),
	"completed_at" timestamptz(3),
	"estimate_min" integer,
	"owner_id" uuid,
	"department_id" uuid,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"custom_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"deleted_at" timestamptz(3),
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	"search_text" text GENERATED ALWAYS AS (crm_searchable(' ' || number::text || ' ' || title)) STORED,
	CONSTRAINT "tasks_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "tasks_number" UNIQUE("workspace_id","number")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"filters" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"finished_at" timestamptz(3),
	CONSTRAINT "exports_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "import_rows" (
	"workspace_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"cells" text[] NOT NULL,
	"outcome" text,
	"record_id" uuid,
	"reason" text,
	"changes" jsonb,
	CONSTRAINT "import_rows_workspace_id_import_id_line_pk" PRIMARY KEY("workspace_id","import_id","line")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"file_name" text DEFAULT '' NOT NULL,
	"entity_type" text DEFAULT '' NOT NULL,
	"header" text[] DEFAULT '{}' NOT NULL,
	"options" jsonb,
	"state" text DEFAULT 'UPLOADING' NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"reverted" integer DEFAULT 0 NOT NULL,
	"cursor" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"started_at" timestamptz(3),
	"finished_at" timestamptz(3),
	CONSTRAINT "imports_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"entity_type" text NOT NULL,
	"visibility" text DEFAULT 'PRIVATE' NOT NULL,
	"query" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sort_by" text,
	"sort_order" text,
	"view" text DEFAULT 'LIST' NOT NULL,
	"columns" text[] DEFAULT '{}' NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "saved_filters_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "oauth_clients_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_codes" (
	"workspace_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"grant_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text NOT NULL,
	"resource" text,
	"expires_at" timestamptz(3) NOT NULL,
	"used_at" timestamptz(3),
	CONSTRAINT "oauth_codes_workspace_id_code_hash_pk" PRIMARY KEY("workspace_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "oauth_grants_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3),
	"rotated_at" timestamptz(3),
	"rotation_salt" "bytea",
	"rotated_by" "bytea",
	CONSTRAINT "oauth_tokens_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "oauth_tokens_hash" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
-- References from table to table
ALTER TABLE "booking_links" ADD CONSTRAINT "booking_links_organizer" FOREIGN KEY ("workspace_id","organizer_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "booking_mails" ADD CONSTRAINT "booking_mails_booking" FOREIGN KEY ("workspace_id","booking_id") REFERENCES "public"."bookings"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_link" FOREIGN KEY ("workspace_id","link_id") REFERENCES "public"."booking_links"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_organizer" FOREIGN KEY ("workspace_id","organizer_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_subscription" FOREIGN KEY ("workspace_id","subscription_id") REFERENCES "public"."calendar_subscriptions"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendar_events" ADD CONSTRAINT "calendar_events_booking" FOREIGN KEY ("workspace_id","booking_id") REFERENCES "public"."bookings"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "calendar_subscriptions" ADD CONSTRAINT "calendar_subscriptions_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "currencies" ADD CONSTRAINT "currencies_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "price_list_entries" ADD CONSTRAINT "price_list_entries_list" FOREIGN KEY ("workspace_id","price_list_id") REFERENCES "public"."price_lists"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "price_list_entries" ADD CONSTRAINT "price_list_entries_product" FOREIGN KEY ("workspace_id","product_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "price_list_entry_tiers" ADD CONSTRAINT "price_list_entry_tiers_entry" FOREIGN KEY ("workspace_id","entry_id") REFERENCES "public"."price_list_entries"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "price_lists" ADD CONSTRAINT "price_lists_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_attribute_assignments" ADD CONSTRAINT "product_attribute_assignments_product" FOREIGN KEY ("workspace_id","product_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_attribute_assignments" ADD CONSTRAINT "product_attribute_assignments_attribute" FOREIGN KEY ("workspace_id","attribute_id") REFERENCES "public"."product_attributes"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_attribute_groups" ADD CONSTRAINT "product_attribute_groups_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_attribute_values" ADD CONSTRAINT "product_attribute_values_attribute" FOREIGN KEY ("workspace_id","attribute_id") REFERENCES "public"."product_attributes"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_attributes" ADD CONSTRAINT "product_attributes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_attributes" ADD CONSTRAINT "product_attributes_group" FOREIGN KEY ("workspace_id","group_id") REFERENCES "public"."product_attribute_groups"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_categories" ADD CONSTRAINT "product_categories_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."product_categories"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_product" FOREIGN KEY ("workspace_id","product_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_images" ADD CONSTRAINT "product_images_of_file" FOREIGN KEY ("workspace_id","file_id") REFERENCES "public"."files"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_tags" ADD CONSTRAINT "product_tags_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_category" FOREIGN KEY ("workspace_id","category_id") REFERENCES "public"."product_categories"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_unit" FOREIGN KEY ("workspace_id","unit_id") REFERENCES "public"."units"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_tax_rate" FOREIGN KEY ("workspace_id","tax_rate_id") REFERENCES "public"."tax_rates"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."products"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tax_rates" ADD CONSTRAINT "tax_rates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "units" ADD CONSTRAINT "units_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation" FOREIGN KEY ("workspace_id","conversation_id") REFERENCES "public"."conversations"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_author" FOREIGN KEY ("workspace_id","author_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_channel" FOREIGN KEY ("workspace_id","channel_id") REFERENCES "public"."channels"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "departments" ADD CONSTRAINT "departments_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "departments" ADD CONSTRAINT "departments_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."departments"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "employee_roles" ADD CONSTRAINT "employee_roles_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "employee_roles" ADD CONSTRAINT "employee_roles_role" FOREIGN KEY ("workspace_id","role_id") REFERENCES "public"."roles"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_department" FOREIGN KEY ("workspace_id","department_id") REFERENCES "public"."departments"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "employees" ADD CONSTRAINT "employees_manager" FOREIGN KEY ("workspace_id","manager_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sign_in_tries" ADD CONSTRAINT "sign_in_tries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workspace_hosts" ADD CONSTRAINT "workspace_hosts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workspace_modules" ADD CONSTRAINT "workspace_modules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workspace_quotas" ADD CONSTRAINT "workspace_quotas_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."comments"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_parent" FOREIGN KEY ("workspace_id","parent_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_industry" FOREIGN KEY ("workspace_id","industry_id") REFERENCES "public"."industries"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "companies" ADD CONSTRAINT "companies_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_stage" FOREIGN KEY ("workspace_id","pipeline_id","stage_id") REFERENCES "public"."stages"("workspace_id","pipeline_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "lead_sources" ADD CONSTRAINT "lead_sources_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_stage" FOREIGN KEY ("workspace_id","pipeline_id","stage_id") REFERENCES "public"."stages"("workspace_id","pipeline_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_source" FOREIGN KEY ("workspace_id","source_id") REFERENCES "public"."lead_sources"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "retired_field_values" ADD CONSTRAINT "retired_field_values_field" FOREIGN KEY ("workspace_id","field_id") REFERENCES "public"."retired_fields"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "retired_fields" ADD CONSTRAINT "retired_fields_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "stages" ADD CONSTRAINT "stages_pipeline" FOREIGN KEY ("workspace_id","pipeline_id") REFERENCES "public"."pipelines"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "timeline" ADD CONSTRAINT "timeline_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "file_links" ADD CONSTRAINT "file_links_file" FOREIGN KEY ("workspace_id","file_id") REFERENCES "public"."files"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_uploader" FOREIGN KEY ("workspace_id","uploaded_by_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "document_records" ADD CONSTRAINT "document_records_document" FOREIGN KEY ("workspace_id","document_id") REFERENCES "public"."documents"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "document_records" ADD CONSTRAINT "document_records_file" FOREIGN KEY ("workspace_id","file_id") REFERENCES "public"."files"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "number_periods" ADD CONSTRAINT "number_periods_sequence" FOREIGN KEY ("workspace_id","sequence_id") REFERENCES "public"."number_sequences"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "number_sequences" ADD CONSTRAINT "number_sequences_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_invoice" FOREIGN KEY ("workspace_id","invoice_id") REFERENCES "public"."invoices"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_invoice" FOREIGN KEY ("workspace_id","invoice_id") REFERENCES "public"."invoices"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_contact" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refused_calls" ADD CONSTRAINT "refused_calls_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rule_runs" ADD CONSTRAINT "rule_runs_rule" FOREIGN KEY ("workspace_id","rule_id") REFERENCES "public"."automation_rules"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhook_triggers" ADD CONSTRAINT "webhook_triggers_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_version" FOREIGN KEY ("workspace_id","workflow_id","version") REFERENCES "public"."workflow_versions"("workspace_id","workflow_id","version") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workflow_step_runs" ADD CONSTRAINT "workflow_step_runs_run" FOREIGN KEY ("workspace_id","run_id") REFERENCES "public"."workflow_runs"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow" FOREIGN KEY ("workspace_id","workflow_id") REFERENCES "public"."workflows"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_run_as" FOREIGN KEY ("workspace_id","run_as_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "industries" ADD CONSTRAINT "industries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "checklist_items" ADD CONSTRAINT "checklist_items_task" FOREIGN KEY ("workspace_id","task_id") REFERENCES "public"."tasks"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custom_entities" ADD CONSTRAINT "custom_entities_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custom_records" ADD CONSTRAINT "custom_records_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_company" FOREIGN KEY ("workspace_id","company_id") REFERENCES "public"."companies"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_deal" FOREIGN KEY ("workspace_id","deal_id") REFERENCES "public"."deals"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "record_numbers" ADD CONSTRAINT "record_numbers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_project" FOREIGN KEY ("workspace_id","project_id") REFERENCES "public"."projects"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_parent" FOREIGN KEY ("workspace_id","parent_task_id") REFERENCES "public"."tasks"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_assignee" FOREIGN KEY ("workspace_id","assignee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import" FOREIGN KEY ("workspace_id","import_id") REFERENCES "public"."imports"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_grant" FOREIGN KEY ("workspace_id","grant_id") REFERENCES "public"."oauth_grants"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client" FOREIGN KEY ("workspace_id","client_id") REFERENCES "public"."oauth_clients"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_grant" FOREIGN KEY ("workspace_id","grant_id") REFERENCES "public"."oauth_grants"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Indexes
CREATE UNIQUE INDEX "booking_links_slug" ON "booking_links" USING btree ("workspace_id",lower("slug"));
--> statement-breakpoint
CREATE INDEX "booking_mails_due" ON "booking_mails" USING btree ("next_at");
--> statement-breakpoint
CREATE INDEX "bookings_by_organizer" ON "bookings" USING btree ("workspace_id","organizer_id","start_at");
--> statement-breakpoint
CREATE INDEX "bookings_by_lead" ON "bookings" USING btree ("workspace_id","lead_id") WHERE "bookings"."lead_id" is not null;
--> statement-breakpoint
CREATE INDEX "bookings_by_contact" ON "bookings" USING btree ("workspace_id","contact_id") WHERE "bookings"."contact_id" is not null;
--> statement-breakpoint
CREATE INDEX "bookings_pending" ON "bookings" USING btree ("created_at") WHERE "bookings"."status" = 'PENDING';
--> statement-breakpoint
CREATE INDEX "calendar_events_by_employee" ON "calendar_events" USING btree ("workspace_id","employee_id","start_at");
--> statement-breakpoint
CREATE INDEX "calendar_events_by_subscription" ON "calendar_events" USING btree ("workspace_id","subscription_id") WHERE "calendar_events"."subscription_id" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_events_booking" ON "calendar_events" USING btree ("workspace_id","booking_id");
--> statement-breakpoint
CREATE INDEX "calendar_subscriptions_by_employee" ON "calendar_subscriptions" USING btree ("workspace_id","employee_id");
--> statement-breakpoint
CREATE INDEX "calendar_subscriptions_due" ON "calendar_subscriptions" USING btree ("next_fetch_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "currencies_code" ON "currencies" USING btree ("workspace_id","code");
--> statement-breakpoint
CREATE UNIQUE INDEX "price_list_entries_once" ON "price_list_entries" USING btree ("workspace_id","product_id","price_list_id");
--> statement-breakpoint
CREATE INDEX "price_list_entries_of_list" ON "price_list_entries" USING btree ("workspace_id","price_list_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "price_list_entry_tiers_of_entry" ON "price_list_entry_tiers" USING btree ("workspace_id","entry_id","min_quantity");
--> statement-breakpoint
CREATE INDEX "price_lists_deleted" ON "price_lists" USING btree ("workspace_id","deleted_at") WHERE "price_lists"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "price_lists_newest" ON "price_lists" USING btree ("workspace_id","created_at","id") WHERE "price_lists"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "price_lists_by_owner" ON "price_lists" USING btree ("workspace_id","owner_id","created_at","id") WHERE "price_lists"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "price_lists_by_department" ON "price_lists" USING btree ("workspace_id","department_id","created_at","id") WHERE "price_lists"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "price_lists_default" ON "price_lists" USING btree ("workspace_id","currency") WHERE "price_lists"."is_default" and "price_lists"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "price_lists_companies" ON "price_lists" USING gin ("company_ids");
--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_assignments_once" ON "product_attribute_assignments" USING btree ("workspace_id","product_id","attribute_id");
--> statement-breakpoint
CREATE INDEX "product_attribute_assignments_by_attribute" ON "product_attribute_assignments" USING btree ("workspace_id","attribute_id");
--> statement-breakpoint
CREATE INDEX "product_attribute_assignments_values" ON "product_attribute_assignments" USING gin ("value_ids");
--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_groups_name" ON "product_attribute_groups" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "product_attribute_values_name" ON "product_attribute_values" USING btree ("workspace_id","attribute_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "product_attributes_code" ON "product_attributes" USING btree ("workspace_id",lower("code"));
--> statement-breakpoint
CREATE INDEX "product_attributes_by_group" ON "product_attributes" USING btree ("workspace_id","group_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "product_categories_name" ON "product_categories" USING btree ("workspace_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'),lower("name"));
--> statement-breakpoint
CREATE INDEX "product_categories_by_parent" ON "product_categories" USING btree ("workspace_id","parent_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "product_images_file" ON "product_images" USING btree ("workspace_id","product_id","file_id");
--> statement-breakpoint
CREATE INDEX "product_images_by_file" ON "product_images" USING btree ("workspace_id","file_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "product_tags_name" ON "product_tags" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "products_deleted" ON "products" USING btree ("workspace_id","deleted_at") WHERE "products"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "products_newest" ON "products" USING btree ("workspace_id","created_at","id") WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "products_by_owner" ON "products" USING btree ("workspace_id","owner_id","created_at","id") WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "products_by_department" ON "products" USING btree ("workspace_id","department_id","created_at","id") WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "products_sku" ON "products" USING btree ("workspace_id",lower("sku")) WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "products_by_status" ON "products" USING btree ("workspace_id","status","created_at","id") WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "products_by_category" ON "products" USING btree ("workspace_id","category_id","created_at","id") WHERE "products"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "products_by_parent" ON "products" USING btree ("workspace_id","parent_id");
--> statement-breakpoint
CREATE INDEX "products_by_unit" ON "products" USING btree ("workspace_id","unit_id");
--> statement-breakpoint
CREATE INDEX "products_by_tax_rate" ON "products" USING btree ("workspace_id","tax_rate_id");
--> statement-breakpoint
CREATE INDEX "products_tags" ON "products" USING gin ("tags");
--> statement-breakpoint
CREATE UNIQUE INDEX "tax_rates_name" ON "tax_rates" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "units_name" ON "units" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "channels_name" ON "channels" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "channels_search" ON "channels" USING gin ("workspace_id","search_text" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "conversation_messages_of_conversation" ON "conversation_messages" USING btree ("workspace_id","conversation_id","id");
--> statement-breakpoint
CREATE INDEX "conversation_messages_search" ON "conversation_messages" USING gin ("workspace_id","search_text" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "conversations_latest" ON "conversations" USING btree ("workspace_id","last_message_at","id");
--> statement-breakpoint
CREATE INDEX "conversations_of_channel" ON "conversations" USING btree ("workspace_id","channel_id","last_message_at","id");
--> statement-breakpoint
CREATE INDEX "conversations_search" ON "conversations" USING gin ("workspace_id","search_text" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "api_keys_by_owner" ON "api_keys" USING btree ("workspace_id","owner_id");
--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "departments_by_parent" ON "departments" USING btree ("workspace_id","parent_id");
--> statement-breakpoint
CREATE INDEX "employee_roles_by_role" ON "employee_roles" USING btree ("workspace_id","role_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "employees_email" ON "employees" USING btree ("workspace_id",lower("email"));
--> statement-breakpoint
CREATE INDEX "employees_by_department" ON "employees" USING btree ("workspace_id","department_id");
--> statement-breakpoint
CREATE INDEX "notifications_by_employee" ON "notifications" USING btree ("workspace_id","employee_id","id");
--> statement-breakpoint
CREATE INDEX "notifications_at" ON "notifications" USING btree ("created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "sessions_by_employee" ON "sessions" USING btree ("workspace_id","employee_id");
--> statement-breakpoint
CREATE INDEX "sign_in_tries_by_end" ON "sign_in_tries" USING btree ("ends_at");
--> statement-breakpoint
CREATE INDEX "workspace_hosts_by_workspace" ON "workspace_hosts" USING btree ("workspace_id");
--> statement-breakpoint
CREATE INDEX "comments_of_record" ON "comments" USING btree ("workspace_id","entity_type","entity_id","id");
--> statement-breakpoint
CREATE INDEX "comments_by_parent" ON "comments" USING btree ("workspace_id","parent_id") WHERE "comments"."parent_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "comments_external" ON "comments" USING btree ("workspace_id","external_source","external_id");
--> statement-breakpoint
CREATE INDEX "companies_deleted" ON "companies" USING btree ("workspace_id","deleted_at") WHERE "companies"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "companies_newest" ON "companies" USING btree ("workspace_id","created_at","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_by_owner" ON "companies" USING btree ("workspace_id","owner_id","created_at","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_by_department" ON "companies" USING btree ("workspace_id","department_id","created_at","id") WHERE "companies"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "companies_by_industry" ON "companies" USING btree ("workspace_id","industry_id");
--> statement-breakpoint
CREATE INDEX "companies_by_parent" ON "companies" USING btree ("workspace_id","parent_id");
--> statement-breakpoint
CREATE INDEX "companies_by_name" ON "companies" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "companies_by_domain" ON "companies" USING btree ("workspace_id",lower("domain"));
--> statement-breakpoint
CREATE INDEX "contacts_deleted" ON "contacts" USING btree ("workspace_id","deleted_at") WHERE "contacts"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "contacts_newest" ON "contacts" USING btree ("workspace_id","created_at","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "contacts_by_owner" ON "contacts" USING btree ("workspace_id","owner_id","created_at","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "contacts_by_department" ON "contacts" USING btree ("workspace_id","department_id","created_at","id") WHERE "contacts"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "contacts_by_company" ON "contacts" USING btree ("workspace_id","company_id");
--> statement-breakpoint
CREATE INDEX "contacts_by_email" ON "contacts" USING btree ("workspace_id",lower("email"));
--> statement-breakpoint
CREATE INDEX "contacts_by_phone" ON "contacts" USING btree ("workspace_id","phone");
--> statement-breakpoint
CREATE UNIQUE INDEX "custom_fields_key" ON "custom_fields" USING btree ("workspace_id","entity_type","key");
--> statement-breakpoint
CREATE INDEX "deals_deleted" ON "deals" USING btree ("workspace_id","deleted_at") WHERE "deals"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "deals_newest" ON "deals" USING btree ("workspace_id","created_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "deals_by_owner" ON "deals" USING btree ("workspace_id","owner_id","created_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "deals_by_department" ON "deals" USING btree ("workspace_id","department_id","created_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "deals_by_stage" ON "deals" USING btree ("workspace_id","stage_id","created_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "deals_by_status" ON "deals" USING btree ("workspace_id","status","created_at","id") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "deals_by_close_date" ON "deals" USING btree ("workspace_id","expected_close_date") WHERE "deals"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "deals_by_contact" ON "deals" USING btree ("workspace_id","contact_id");
--> statement-breakpoint
CREATE INDEX "deals_by_lead" ON "deals" USING btree ("workspace_id","lead_id") WHERE "deals"."lead_id" is not null;
--> statement-breakpoint
CREATE INDEX "deals_by_company" ON "deals" USING btree ("workspace_id","company_id");
--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("created_at") WHERE "jobs"."state" in ('QUEUED', 'RUNNING');
--> statement-breakpoint
CREATE UNIQUE INDEX "lead_sources_name" ON "lead_sources" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "lead_sources_system" ON "lead_sources" USING btree ("workspace_id","system_key");
--> statement-breakpoint
CREATE INDEX "leads_deleted" ON "leads" USING btree ("workspace_id","deleted_at") WHERE "leads"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "leads_newest" ON "leads" USING btree ("workspace_id","created_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "leads_by_status" ON "leads" USING btree ("workspace_id","status","created_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "leads_by_stage" ON "leads" USING btree ("workspace_id","stage_id","created_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "leads_by_owner" ON "leads" USING btree ("workspace_id","owner_id","created_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "leads_by_department" ON "leads" USING btree ("workspace_id","department_id","created_at","id") WHERE "leads"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "leads_by_contact" ON "leads" USING btree ("workspace_id","contact_id") WHERE "leads"."contact_id" is not null;
--> statement-breakpoint
CREATE INDEX "leads_by_company" ON "leads" USING btree ("workspace_id","company_id") WHERE "leads"."company_id" is not null;
--> statement-breakpoint
CREATE INDEX "leads_by_deal" ON "leads" USING btree ("workspace_id","deal_id") WHERE "leads"."deal_id" is not null;
--> statement-breakpoint
CREATE INDEX "leads_by_email" ON "leads" USING btree ("workspace_id",lower("email")) WHERE "leads"."deleted_at" is null and "leads"."email" is not null;
--> statement-breakpoint
CREATE INDEX "leads_by_phone" ON "leads" USING btree ("workspace_id","phone") WHERE "leads"."deleted_at" is null and "leads"."phone" is not null;
--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("topic","id") WHERE "outbox"."relayed_at" is null and "outbox"."done_at" is null;
--> statement-breakpoint
CREATE INDEX "outbox_relayed" ON "outbox" USING btree ("topic","relayed_at") WHERE "outbox"."relayed_at" is not null and "outbox"."done_at" is null;
--> statement-breakpoint
CREATE INDEX "outbox_done" ON "outbox" USING btree ("done_at") WHERE "outbox"."done_at" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "pipelines_default" ON "pipelines" USING btree ("workspace_id","entity_type") WHERE "pipelines"."is_default";
--> statement-breakpoint
CREATE UNIQUE INDEX "pipelines_name" ON "pipelines" USING btree ("workspace_id","entity_type",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "retired_fields_key" ON "retired_fields" USING btree ("workspace_id","entity_type","key");
--> statement-breakpoint
CREATE INDEX "retired_fields_due" ON "retired_fields" USING btree ("purge_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "stages_name" ON "stages" USING btree ("workspace_id","pipeline_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "timeline_of_record" ON "timeline" USING btree ("workspace_id","entity_type","entity_id","id");
--> statement-breakpoint
CREATE INDEX "file_links_of_record" ON "file_links" USING btree ("workspace_id","entity_type","entity_id","file_id");
--> statement-breakpoint
CREATE INDEX "file_uploads_started" ON "file_uploads" USING btree ("started_at");
--> statement-breakpoint
CREATE INDEX "files_newest" ON "files" USING btree ("workspace_id","created_at","id") WHERE "files"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "files_of_uploader" ON "files" USING btree ("workspace_id","uploaded_by_id","created_at","id") WHERE "files"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "files_search" ON "files" USING gin ("workspace_id","search_text" gin_trgm_ops) WHERE "files"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "files_kept_sizes" ON "files" USING btree ("workspace_id","size") WHERE "files"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "files_leaving" ON "files" USING btree ("leaves_at") WHERE "files"."leaves_at" is not null;
--> statement-breakpoint
CREATE INDEX "document_records_newest" ON "document_records" USING btree ("workspace_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "document_records_of_record" ON "document_records" USING btree ("workspace_id","entity_type","entity_id","id");
--> statement-breakpoint
CREATE INDEX "document_records_of_file" ON "document_records" USING btree ("workspace_id","file_id") WHERE "document_records"."file_id" is not null;
--> statement-breakpoint
CREATE INDEX "document_records_of_document" ON "document_records" USING btree ("workspace_id","document_id");
--> statement-breakpoint
CREATE INDEX "documents_deleted" ON "documents" USING btree ("workspace_id","deleted_at") WHERE "documents"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "documents_newest" ON "documents" USING btree ("workspace_id","created_at","id") WHERE "documents"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "documents_by_owner" ON "documents" USING btree ("workspace_id","owner_id","created_at","id") WHERE "documents"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "documents_by_department" ON "documents" USING btree ("workspace_id","department_id","created_at","id") WHERE "documents"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "invoices_deleted" ON "invoices" USING btree ("workspace_id","deleted_at") WHERE "invoices"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "invoices_newest" ON "invoices" USING btree ("workspace_id","created_at","id") WHERE "invoices"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "invoices_by_owner" ON "invoices" USING btree ("workspace_id","owner_id","created_at","id") WHERE "invoices"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "invoices_by_department" ON "invoices" USING btree ("workspace_id","department_id","created_at","id") WHERE "invoices"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("workspace_id","number");
--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "invoices" USING btree ("workspace_id","status","created_at","id") WHERE "invoices"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "invoices_by_company" ON "invoices" USING btree ("workspace_id","company_id");
--> statement-breakpoint
CREATE INDEX "invoices_by_contact" ON "invoices" USING btree ("workspace_id","contact_id");
--> statement-breakpoint
CREATE INDEX "invoices_by_deal" ON "invoices" USING btree ("workspace_id","deal_id");
--> statement-breakpoint
CREATE INDEX "invoices_by_due_date" ON "invoices" USING btree ("workspace_id","due_date") WHERE "invoices"."deleted_at" is null and "invoices"."status" in ('ISSUED', 'PARTIALLY_PAID');
--> statement-breakpoint
CREATE UNIQUE INDEX "number_sequences_default" ON "number_sequences" USING btree ("workspace_id","entity_type") WHERE "number_sequences"."is_default";
--> statement-breakpoint
CREATE UNIQUE INDEX "number_sequences_name" ON "number_sequences" USING btree ("workspace_id","entity_type",lower("name"));
--> statement-breakpoint
CREATE INDEX "orders_deleted" ON "orders" USING btree ("workspace_id","deleted_at") WHERE "orders"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("workspace_id","created_at","id") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "orders_by_owner" ON "orders" USING btree ("workspace_id","owner_id","created_at","id") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "orders_by_department" ON "orders" USING btree ("workspace_id","department_id","created_at","id") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number" ON "orders" USING btree ("workspace_id","number");
--> statement-breakpoint
CREATE INDEX "orders_by_status" ON "orders" USING btree ("workspace_id","status","created_at","id") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "orders_by_company" ON "orders" USING btree ("workspace_id","company_id");
--> statement-breakpoint
CREATE INDEX "orders_by_contact" ON "orders" USING btree ("workspace_id","contact_id");
--> statement-breakpoint
CREATE INDEX "orders_by_deal" ON "orders" USING btree ("workspace_id","deal_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_links_token" ON "payment_links" USING btree ("workspace_id","token_hash");
--> statement-breakpoint
CREATE INDEX "payment_links_of_invoice" ON "payment_links" USING btree ("workspace_id","invoice_id","id");
--> statement-breakpoint
CREATE INDEX "payments_of_invoice" ON "payments" USING btree ("workspace_id","invoice_id","paid_at","id");
--> statement-breakpoint
CREATE INDEX "quotes_deleted" ON "quotes" USING btree ("workspace_id","deleted_at") WHERE "quotes"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "quotes_newest" ON "quotes" USING btree ("workspace_id","created_at","id") WHERE "quotes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "quotes_by_owner" ON "quotes" USING btree ("workspace_id","owner_id","created_at","id") WHERE "quotes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "quotes_by_department" ON "quotes" USING btree ("workspace_id","department_id","created_at","id") WHERE "quotes"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "quotes_number" ON "quotes" USING btree ("workspace_id","number");
--> statement-breakpoint
CREATE INDEX "quotes_by_status" ON "quotes" USING btree ("workspace_id","status","created_at","id") WHERE "quotes"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "quotes_by_company" ON "quotes" USING btree ("workspace_id","company_id");
--> statement-breakpoint
CREATE INDEX "quotes_by_contact" ON "quotes" USING btree ("workspace_id","contact_id");
--> statement-breakpoint
CREATE INDEX "quotes_by_deal" ON "quotes" USING btree ("workspace_id","deal_id");
--> statement-breakpoint
CREATE INDEX "automation_rules_by_event" ON "automation_rules" USING btree ("workspace_id","event") WHERE "automation_rules"."is_active";
--> statement-breakpoint
CREATE INDEX "deliveries_by_rule" ON "deliveries" USING btree ("workspace_id","rule_id","id");
--> statement-breakpoint
CREATE INDEX "deliveries_by_run" ON "deliveries" USING btree ("workspace_id","run_id");
--> statement-breakpoint
CREATE INDEX "deliveries_at" ON "deliveries" USING btree ("attempted_at");
--> statement-breakpoint
CREATE INDEX "deliveries_sending" ON "deliveries" USING btree ("attempted_at") WHERE "deliveries"."state" = 'SENDING';
--> statement-breakpoint
CREATE INDEX "refused_calls_by_workflow" ON "refused_calls" USING btree ("workspace_id","workflow_id","id");
--> statement-breakpoint
CREATE INDEX "refused_calls_at" ON "refused_calls" USING btree ("at");
--> statement-breakpoint
CREATE UNIQUE INDEX "rule_runs_once" ON "rule_runs" USING btree ("workspace_id","rule_id","event_id");
--> statement-breakpoint
CREATE INDEX "rule_runs_by_rule" ON "rule_runs" USING btree ("workspace_id","rule_id","id");
--> statement-breakpoint
CREATE INDEX "rule_runs_by_rule_state" ON "rule_runs" USING btree ("workspace_id","rule_id","state","id");
--> statement-breakpoint
CREATE INDEX "rule_runs_finished" ON "rule_runs" USING btree ("finished_at") WHERE "rule_runs"."finished_at" is not null;
--> statement-breakpoint
CREATE INDEX "rule_runs_open" ON "rule_runs" USING btree ("started_at") WHERE "rule_runs"."state" = 'RUNNING';
--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow" ON "workflow_runs" USING btree ("workspace_id","workflow_id","id");
--> statement-breakpoint
CREATE INDEX "workflow_runs_by_state" ON "workflow_runs" USING btree ("workspace_id","state","id");
--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow_state" ON "workflow_runs" USING btree ("workspace_id","workflow_id","state","id");
--> statement-breakpoint
CREATE INDEX "workflow_runs_finished" ON "workflow_runs" USING btree ("finished_at") WHERE "workflow_runs"."finished_at" is not null;
--> statement-breakpoint
CREATE INDEX "workflow_runs_open" ON "workflow_runs" USING btree ("created_at") WHERE "workflow_runs"."state" in ('QUEUED', 'RUNNING', 'WAITING');
--> statement-breakpoint
CREATE INDEX "workflows_listening" ON "workflows" USING btree ("workspace_id","listens_to") WHERE "workflows"."listens_to" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "industries_name" ON "industries" USING btree ("workspace_id",lower("name"));
--> statement-breakpoint
CREATE INDEX "activities_deleted" ON "activities" USING btree ("workspace_id","deleted_at") WHERE "activities"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("workspace_id","created_at","id") WHERE "activities"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "activities_by_owner" ON "activities" USING btree ("workspace_id","owner_id","created_at","id") WHERE "activities"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "activities_by_department" ON "activities" USING btree ("workspace_id","department_id","created_at","id") WHERE "activities"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "activities_by_status" ON "activities" USING btree ("workspace_id","status","created_at","id") WHERE "activities"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "checklist_items_of_task" ON "checklist_items" USING btree ("workspace_id","task_id","position","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "custom_entities_key" ON "custom_entities" USING btree ("workspace_id","key");
--> statement-breakpoint
CREATE INDEX "custom_records_deleted" ON "custom_records" USING btree ("workspace_id","deleted_at") WHERE "custom_records"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "custom_records_newest" ON "custom_records" USING btree ("workspace_id","entity_key","created_at","id") WHERE "custom_records"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "custom_records_by_owner" ON "custom_records" USING btree ("workspace_id","entity_key","owner_id","created_at","id") WHERE "custom_records"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "projects_deleted" ON "projects" USING btree ("workspace_id","deleted_at") WHERE "projects"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "projects_newest" ON "projects" USING btree ("workspace_id","created_at","id") WHERE "projects"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "projects_by_owner" ON "projects" USING btree ("workspace_id","owner_id","created_at","id") WHERE "projects"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "projects_by_department" ON "projects" USING btree ("workspace_id","department_id","created_at","id") WHERE "projects"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "projects_by_status" ON "projects" USING btree ("workspace_id","status","created_at","id") WHERE "projects"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "projects_by_company" ON "projects" USING btree ("workspace_id","company_id") WHERE "projects"."company_id" is not null;
--> statement-breakpoint
CREATE INDEX "projects_by_deal" ON "projects" USING btree ("workspace_id","deal_id") WHERE "projects"."deal_id" is not null;
--> statement-breakpoint
CREATE INDEX "projects_members" ON "projects" USING gin ("member_ids");
--> statement-breakpoint
CREATE INDEX "record_links_to" ON "record_links" USING btree ("workspace_id","entity_type","entity_id","from_type","from_id");
--> statement-breakpoint
CREATE INDEX "tasks_deleted" ON "tasks" USING btree ("workspace_id","deleted_at") WHERE "tasks"."deleted_at" is not null;
--> statement-breakpoint
CREATE INDEX "tasks_newest" ON "tasks" USING btree ("workspace_id","created_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "tasks_by_owner" ON "tasks" USING btree ("workspace_id","owner_id","created_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "tasks_by_department" ON "tasks" USING btree ("workspace_id","department_id","created_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "tasks_by_status" ON "tasks" USING btree ("workspace_id","status","created_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "tasks_by_assignee" ON "tasks" USING btree ("workspace_id","assignee_id","created_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "tasks_by_project" ON "tasks" USING btree ("workspace_id","project_id","created_at","id") WHERE "tasks"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "tasks_of_project" ON "tasks" USING btree ("workspace_id","project_id") WHERE "tasks"."project_id" is not null;
--> statement-breakpoint
CREATE INDEX "tasks_by_parent" ON "tasks" USING btree ("workspace_id","parent_task_id");
--> statement-breakpoint
CREATE INDEX "tasks_members" ON "tasks" USING gin ("member_ids");
--> statement-breakpoint
CREATE INDEX "exports_age" ON "exports" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "imports_uploading" ON "imports" USING btree ("created_at") WHERE "imports"."state" = 'UPLOADING';
--> statement-breakpoint
CREATE INDEX "saved_filters_of_kind" ON "saved_filters" USING btree ("workspace_id","entity_type","id");
--> statement-breakpoint
CREATE INDEX "oauth_grants_by_person" ON "oauth_grants" USING btree ("workspace_id","employee_id","client_id");
--> statement-breakpoint
CREATE INDEX "oauth_tokens_by_grant" ON "oauth_tokens" USING btree ("workspace_id","grant_id");
--> statement-breakpoint
-- What the schema cannot say
-- Two bookings that hold the same organizer's time cannot both exist.
ALTER TABLE bookings ADD CONSTRAINT bookings_no_overlap
  EXCLUDE USING gist (workspace_id WITH =, organizer_id WITH =, tstzrange(start_at, end_at) WITH &&)
  WHERE (status IN ('PENDING', 'CONFIRMED'));
--> statement-breakpoint
-- A quantity has one tier at most, however many write tiers at the same time.
ALTER TABLE price_list_entry_tiers ADD CONSTRAINT price_list_entry_tiers_apart
  EXCLUDE USING gist (workspace_id WITH =, entry_id WITH =, numrange(min_quantity, max_quantity, '[]') WITH &&);
--> statement-breakpoint
CREATE INDEX leads_messengers ON leads USING gin (messengers jsonb_path_ops) WHERE deleted_at IS NULL AND messengers <> '[]';
--> statement-breakpoint
CREATE INDEX leads_custom_fields ON leads USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
CREATE INDEX contacts_custom_fields ON contacts USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
CREATE INDEX companies_custom_fields ON companies USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
CREATE INDEX deals_custom_fields ON deals USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
CREATE INDEX custom_records_custom_fields ON custom_records USING gin (custom_fields jsonb_path_ops) WHERE deleted_at IS NULL AND custom_fields <> '{}';
--> statement-breakpoint
-- Every accepted call changes the last request of its trigger. With room in the page the new row stays beside the old one, and no index is touched.
ALTER TABLE "webhook_triggers" SET (fillfactor = 50);
--> statement-breakpoint
-- Makes every statement that writes a table add at least one row to the ledger of counts, so that the visible rows of the ledger identify
-- the visible state of the records. The last four arguments are expressions over a row of the table: its entity type, pipeline, stage and status.
CREATE PROCEDURE crm_keep_counts(records text, entity text, pipeline text, stage text, status text) LANGUAGE plpgsql AS $$
DECLARE
  dimensions text := format('workspace_id, %s AS entity_type, owner_id, coalesce(owner_id, created_by_id) AS holder_id, department_id, %s AS pipeline_id, %s AS stage_id, %s AS status',
    entity, pipeline, stage, status);
BEGIN
  EXECUTE format($make$
    CREATE FUNCTION crm_count_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
        SELECT %2$s, count(*) FILTER (WHERE deleted_at IS NULL) FROM new_rows GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
        SELECT %2$s, -count(*) FILTER (WHERE deleted_at IS NULL) FROM old_rows GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      ELSE
        INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
        SELECT workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, sum(n)
        FROM (
          SELECT %2$s, CASE WHEN deleted_at IS NULL THEN -1 ELSE 0 END AS n FROM old_rows
          UNION ALL
          SELECT %2$s, CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END FROM new_rows
        ) moved GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
      END IF;
      RETURN NULL;
    END $body$;
    CREATE TRIGGER %1$s_counted_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION crm_count_%1$s();
    CREATE TRIGGER %1$s_counted_update AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION crm_count_%1$s();
    CREATE TRIGGER %1$s_counted_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION crm_count_%1$s();
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT %2$s, count(*) FROM %1$I WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
    CREATE INDEX %1$s_search ON %1$I USING gin (workspace_id, search_text gin_trgm_ops) WHERE deleted_at IS NULL;
  $make$, records, dimensions);
END $$;
--> statement-breakpoint
CALL crm_keep_counts('leads', '''LEAD''', 'pipeline_id', 'stage_id', 'status');
--> statement-breakpoint
CALL crm_keep_counts('contacts', '''CONTACT''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CALL crm_keep_counts('companies', '''COMPANY''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CALL crm_keep_counts('deals', '''DEAL''', 'pipeline_id', 'stage_id', 'status');
--> statement-breakpoint
CALL crm_keep_counts('tasks', '''TASK''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('projects', '''PROJECT''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('activities', '''ACTIVITY''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('custom_records', 'upper(entity_key)', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CALL crm_keep_counts('products', '''PRODUCT''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('price_lists', '''PRICE_LIST''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
CALL crm_keep_counts('quotes', '''QUOTE''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('orders', '''ORDER''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('invoices', '''INVOICE''', 'NULL::uuid', 'NULL::uuid', 'status');
--> statement-breakpoint
CALL crm_keep_counts('documents', '''DOCUMENT''', 'NULL::uuid', 'NULL::uuid', 'NULL::text');
--> statement-breakpoint
-- Folds the ledger of one kind of record into one row for each combination. The row it always adds (n = 0, no
-- dimensions) gives the folded ledger an id of its own, so that no earlier state looks like it.
CREATE FUNCTION crm_compact_counts(workspace uuid, entity text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('counts:' || entity || ':' || workspace::text, 0)) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM record_counts WHERE workspace_id = workspace AND entity_type = entity RETURNING *
  ), added AS (
    INSERT INTO record_counts (workspace_id, entity_type, owner_id, holder_id, department_id, pipeline_id, stage_id, status, n)
    SELECT workspace, entity, owner_id, holder_id, department_id, pipeline_id, stage_id, status, sum(n)
    FROM taken GROUP BY 3, 4, 5, 6, 7, 8 HAVING sum(n) <> 0
    UNION ALL
    SELECT workspace, entity, NULL, NULL, NULL, NULL, NULL, NULL, 0
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END $$;
--> statement-breakpoint
-- Times of a calendar are written only by a transaction that holds the lock of that calendar (packages/db/src/calendar.ts).
-- The owner of the schema is not asked: a restored backup writes rows as they were.
CREATE FUNCTION crm_require_calendar() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE person text := to_jsonb(NEW) ->> TG_ARGV[0];
BEGIN
  IF current_setting('crm.calendar', true) IS DISTINCT FROM person
    AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
  THEN
    RAISE EXCEPTION 'The transaction does not hold the calendar that it writes to' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER bookings_require_calendar BEFORE INSERT OR UPDATE OF organizer_id, status, start_at, end_at ON bookings
  FOR EACH ROW EXECUTE FUNCTION crm_require_calendar('organizer_id');
--> statement-breakpoint
CREATE TRIGGER calendar_events_require_calendar BEFORE INSERT OR UPDATE OF employee_id, start_at, end_at, all_day, start_date, end_date, busy ON calendar_events
  FOR EACH ROW EXECUTE FUNCTION crm_require_calendar('employee_id');
