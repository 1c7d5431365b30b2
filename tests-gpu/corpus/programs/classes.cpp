// Classes: virtual functions, multiple and virtual bases, member pointers, objects with destructors.

extern "C" void __cxa_pure_virtual() { __builtin_trap(); }

namespace {

struct Shape {
  virtual u32 area() const = 0;
  virtual u32 scaled(u32 by) const { return area() * by; }
  virtual const char *name() const { return "shape"; }
};

struct Named {
  u32 id;
  explicit Named(u32 i) : id(i) {}
  virtual u32 tag() const { return id * 3; }
};

struct Square : Shape {
  u32 side;
  explicit Square(u32 s) : side(s) {}
  u32 area() const override { return side * side; }
};

struct Box : Shape, Named {
  u32 w, h;
  Box(u32 a, u32 b) : Named(a ^ b), w(a), h(b) {}
  u32 area() const override { return w * h; }
  u32 scaled(u32 by) const override { return Shape::scaled(by) + 1; }
  u32 tag() const override { return Named::tag() + w; }
  const char *name() const override { return "box"; }
};

struct Base { u32 value = 5; virtual u32 get() const { return value; } };
struct Left : virtual Base { u32 l = 7; u32 get() const override { return value + l; } };
struct Right : virtual Base { u32 r = 11; };
struct Both : Left, Right { u32 get() const override { return Left::get() * r; } };

// Counts constructions and destructions of copies.
struct Counted {
  u32 *count;
  explicit Counted(u32 *c) : count(c) { ++*count; }
  Counted(const Counted &other) : count(other.count) { *count += 16; }
  ~Counted() { *count += 256; }
};

Counted pass(Counted c) { return c; }

u32 length(const char *s) {
  u32 n = 0;
  while (s[n])
    n++;
  return n;
}

[[gnu::noinline]] u32 total(const Shape *const *shapes, u32 n, u32 by) {
  u32 sum = 0;
  for (u32 i = 0; i < n; i++)
    sum = sum * 7 + shapes[i]->scaled(by) + length(shapes[i]->name());
  return sum;
}

} // namespace

C_LINKAGE void item(const u32 *in, u32 *out) {
  Square square(in[0] & 0xff), other(in[1] & 0xff);
  Box box(in[2] & 0xff, in[3] & 0xff);
  const Shape *shapes[4] = {&square, &box, &other, in[4] & 1 ? static_cast<Shape *>(&box) : &square};
  out[0] = total(shapes, 4, in[5]);
  const Named &named = box;
  out[1] = named.tag();
  Both both;
  both.value += in[6];
  const Base &base = both;
  out[2] = base.get();
  u32 count = 0;
  {
    Counted a(&count);
    Counted b = pass(a);
    Counted c = in[7] & 1 ? b : Counted(&count);
  }
  out[3] = count;
  u32 (Shape::*method)() const = &Shape::area;
  u32 Box::*field = in[8] & 1 ? &Box::w : &Box::h;
  out[4] = (shapes[in[9] & 3]->*method)() + box.*field;
}
