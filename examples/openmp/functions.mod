!mod$ v1 sum:f1506f4c4b293e1a
module functions
contains
pure function bell(x) result(y)
real(8),intent(in)::x
real(8)::y
end
function simpson(a,b,n) result(s)
real(8),intent(in)::a
real(8),intent(in)::b
integer(4),intent(in)::n
real(8)::s
end
end
